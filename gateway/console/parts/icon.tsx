import {
  ArrowLeftRight,
  Building2,
  Check,
  Circle,
  CircleCheck,
  CircleDot,
  CircleMinus,
  CircleX,
  Copy,
  Cpu,
  Download,
  Equal,
  FlaskConical,
  HandCoins,
  type IconNode,
  KeyRound,
  Layers,
  LayoutDashboard,
  Link,
  ListOrdered,
  Lock,
  LogOut,
  Menu,
  Monitor,
  Pause,
  Play,
  Plug,
  Plus,
  Printer,
  ReceiptText,
  RotateCw,
  Scale,
  ScrollText,
  Search,
  Send,
  Settings,
  SlidersHorizontal,
  TrendingDown,
  TrendingUp,
  TriangleAlert,
  UserCheck,
  Users,
  Webhook,
} from 'lucide';
import { createElement } from 'preact';

/** The icons, by what they stand for. The bundle has these alone of the set. */
const ICONS = {
  // Screens.
  overview: LayoutDashboard,
  operations: ArrowLeftRight,
  moneyRequests: HandCoins,
  remittances: Send,
  statements: ReceiptText,
  deliveries: Webhook,
  endpoints: Plug,
  users: Users,
  links: Link,
  requests: ScrollText,
  keys: KeyRound,
  sessions: Monitor,
  approvals: UserCheck,
  discrepancies: Scale,
  tenants: Building2,
  stuckCalls: TriangleAlert,
  queues: Layers,
  leases: Lock,
  events: ListOrdered,
  processes: Cpu,
  settings: SlidersHorizontal,
  operatorLog: ScrollText,
  // Signs of statuses and steps: they differ in shape, so that colour is not needed to distinguish them.
  good: CircleCheck,
  bad: CircleX,
  busy: CircleDot,
  idle: CircleMinus,
  ahead: Circle,
  phase: Circle,
  up: TrendingUp,
  down: TrendingDown,
  same: Equal,
  // Acts.
  add: Plus,
  copied: Check,
  copy: Copy,
  export: Download,
  menu: Menu,
  pause: Pause,
  preferences: Settings,
  print: Printer,
  resume: Play,
  retry: RotateCw,
  search: Search,
  signOut: LogOut,
  simulate: FlaskConical,
} satisfies Readonly<Record<string, IconNode>>;

export type IconName = keyof typeof ICONS;

/** An icon in the colour of its text. It always stands beside words, so screen readers skip it. */
export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      {ICONS[name].map(([tag, attributes]) => createElement(tag, attributes))}
    </svg>
  );
}
