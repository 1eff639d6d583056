import { words } from '../settings.tsx';
import { Empty } from './states.tsx';

interface TimelineProps {
  /** Of the record that it is about. */
  readonly id: string;
  /** Changes when there may be more to read. */
  readonly version: string;
}

export function Timeline(_: TimelineProps) {
  return <Empty>{words.value.timeline.empty}</Empty>;
}
