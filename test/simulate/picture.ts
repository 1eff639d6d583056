import type { useByLoad } from './plan.ts';

const [WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM] = [640, 320, 44, 110, 16, 40];
const LABEL_PX = 15;
/** Colours that are readable on white and on black; lines differ in their dashes, too. */
const LINES = [
  { role: 'worker', colour: '#d1740c', dash: '' },
  { role: 'subgraph', colour: '#3b82d6', dash: '7 3' },
  { role: 'gateway', colour: '#2f9e63', dash: '2 3' },
  { role: 'primary', colour: '#b05fc9', dash: '9 3 2 3' },
] as const;

/** Use of each role by load, as an SVG without a background. */
export function draw(points: ReturnType<typeof useByLoad>): string {
  const most = points.at(-1)?.rate ?? 0;
  const x = (rate: number) => LEFT + (rate / most) * (WIDTH - LEFT - RIGHT);
  const y = (part: number) => HEIGHT - BOTTOM - part * (HEIGHT - TOP - BOTTOM);
  const at = (px: number) => px.toFixed(1);
  const text = (px: number, py: number, words: string, more = 'fill="#808a96"') =>
    `<text x="${at(px)}" y="${at(py)}" ${more}>${words}</text>`;
  const grid = [0, 0.2, 0.4, 0.6, 0.8, 1].flatMap((part) => [
    `<path d="M${LEFT} ${at(y(part))}H${WIDTH - RIGHT}" stroke="#808a96" stroke-opacity="${part === 0.6 ? 0.9 : 0.3}"/>`,
    text(LEFT - 6, y(part) + 4, `${Math.round(part * 100)} %`, 'fill="#808a96" text-anchor="end"'),
  ]);
  const marks = points
    .filter((_, nth) => nth % Math.ceil(points.length / 8) === 0)
    .map(({ rate }) =>
      text(x(rate), HEIGHT - BOTTOM + 18, String(rate), 'fill="#808a96" text-anchor="middle"'),
    );
  let lowest = Number.NEGATIVE_INFINITY;
  const lines = LINES.map((line) => ({ ...line, end: points.at(-1)?.used[line.role] ?? 0 }))
    .sort((one, other) => other.end - one.end)
    .flatMap(({ role, colour, dash, end }) => {
      const path = [{ rate: 0, used: { [role]: 0 } }, ...points].map(
        ({ rate, used }) => `${at(x(rate))} ${at(y(used[role] ?? 0))}`,
      );
      lowest = Math.max(y(end) + 4, lowest + LABEL_PX);
      return [
        `<path d="M${path.join('L')}" fill="none" stroke="${colour}" stroke-width="2" stroke-dasharray="${dash}"/>`,
        text(WIDTH - RIGHT + 8, lowest, role === 'subgraph' ? 'busiest subgraph' : role, `fill="${colour}"`),
      ];
    });
  const title = 'Use of the smallest deployment by atomic calls a second';
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="12" role="img" aria-label="${title}">`,
    ...[...grid, ...marks, ...lines, text(LEFT, HEIGHT - 6, `${title}; at 60 % it needs more`)],
    '</svg>\n',
  ].join('\n');
}
