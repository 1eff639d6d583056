import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';

const FOLDER = 'gateway/console/styles';
const sheets = readdirSync(FOLDER).map((name) => ({ name, css: readFileSync(`${FOLDER}/${name}`, 'utf8') }));
const base = sheets.find(({ name }) => name === 'base.css')?.css ?? '';
const readme = readFileSync('gateway/console/README.md', 'utf8');

/** The declared values of the tokens whose names match. */
function tokensIn(css: string, name: RegExp): [token: string, value: string][] {
  return [...css.matchAll(/^ {2}(--[\w-]+): (.+);$/gm)].flatMap(([, token = '', value = '']) =>
    name.test(token) ? [[token, value]] : [],
  );
}

/** The rows of tables in the README whose first cell is a token. */
function rowsOf(name: RegExp): string[][] {
  const rows = [...readme.matchAll(/^\| `(--[\w-]+)` \|(.+)\|$/gm)];
  return rows.flatMap(([, token = '', cells = '']) =>
    name.test(token) ? [[token, ...cells.split('|').map((cell) => cell.trim().replaceAll('`', ''))]] : [],
  );
}

const SIZES = /^--(?:size|icon)/;
const COLOURS = /^--(?!size|icon|mono|label)/;

/** Both values of a colour: for the light and for the dark theme. */
function themesOf(value: string): [light: string, dark: string] {
  const [, light = value, dark = value] = /^light-dark\((.+), (.+)\)$/.exec(value) ?? [];
  return [light, dark];
}

const colours = new Map(tokensIn(base, COLOURS).map(([token, value]) => [token, themesOf(value)]));

describe('The design page', () => {
  test('has the colours of both themes', () => {
    expect(colours.size).toBeGreaterThan(10);
    expect(new Map(rowsOf(COLOURS).map(([token, light, dark]) => [token, [light, dark]]))).toEqual(colours);
  });

  test('has the sizes of type and icons', () => {
    const sizes = tokensIn(base, SIZES).map(([token, value]) => [token, value.replace(/rem$/, ' rem')]);
    expect(sizes.length).toBeGreaterThan(5);
    expect(rowsOf(SIZES).map(([token, size]) => [token, size])).toEqual(sizes);
  });
});

describe('The styles', () => {
  test('have colours only in tokens', () => {
    const others = sheets.flatMap(({ name, css }) =>
      css
        .split('\n')
        .filter(
          (line) => /#[\da-f]{3,8}\b|\b(?:rgb|hsl|oklch|color-mix)\(/i.test(line) && !/^ {2}--/.test(line),
        )
        .map((line) => `${name}: ${line.trim()}`),
    );
    expect(others).toEqual([]);
  });

  test('have sizes of type only from the scale, and of code by its text', () => {
    const sizes = sheets.flatMap(({ css }) =>
      [...css.matchAll(/font-size: ([^;]+);/g)].map(([, size]) => size),
    );
    expect(sizes.length).toBeGreaterThan(10);
    expect(sizes.filter((size) => !/^var\(--size-\w+\)$|^0\.9em$/.test(String(size)))).toEqual([]);
  });

  test('have the spaces that the design page names', () => {
    const [, named = ''] = /one of these sizes, in rem: ([\d., ]+)\./.exec(readme) ?? [];
    const steps = named.split(', ');
    const spaces = sheets.flatMap(({ css }) =>
      [...css.matchAll(/^\s*(?:margin|padding|gap)[\w-]*: ([^;]+);/gm)].flatMap(([, value = '']) =>
        [...value.matchAll(/([\d.]+)rem/g)].map(([, size]) => String(size)),
      ),
    );
    expect(new Set(spaces)).toEqual(new Set(steps));
  });
});

const TEXTS = ['--text', '--muted', '--link', '--good', '--bad', '--busy'];
const PAIRS: readonly (readonly [text: string, background: string])[] = [
  ...TEXTS.flatMap((text) =>
    ['--page', '--raised', '--hover'].map((background) => [text, background] as const),
  ),
  ['--text', '--mark'],
  ['--link', '--mark'],
  ['--page', '--link'],
];

describe.each([
  ['light', 0],
  ['dark', 1],
] as const)('In the %s theme', (_name, theme) => {
  const channelsOf = (token: string) => readColour(colours.get(token)?.[theme] ?? '', token);

  test.each(PAIRS)('%s on %s has a contrast of at least 4.5 to 1', (text, background) => {
    const page = channelsOf('--page');
    expect(
      contrastOf(over(channelsOf(text), page), over(channelsOf(background), page)),
    ).toBeGreaterThanOrEqual(4.5);
  });
});

/** Red, green, blue from 0 to 255, and opacity from 0 to 1. */
type Colour = readonly [red: number, green: number, blue: number, opacity: number];

/** @throws for a colour in another notation */
function readColour(text: string, token: string): Colour {
  const [, red, green, blue] = /^#(..)(..)(..)$/.exec(text) ?? [];
  if (red && green && blue) {
    return [Number.parseInt(red, 16), Number.parseInt(green, 16), Number.parseInt(blue, 16), 1];
  }
  const [, r, g, b, percent] = /^rgb\((\d+) (\d+) (\d+) \/ (\d+)%\)$/.exec(text) ?? [];
  if (percent === undefined) {
    throw new Error(`${token} is ${text}`);
  }
  return [Number(r), Number(g), Number(b), Number(percent) / 100];
}

/** The colour that a reader sees of one above an opaque one. */
function over([red, green, blue, opacity]: Colour, [r, g, b]: Colour): Colour {
  const mix = (above: number, below: number) => above * opacity + below * (1 - opacity);
  return [mix(red, r), mix(green, g), mix(blue, b), 1];
}

/** Source: WCAG 2.2, "contrast ratio" and "relative luminance". */
function contrastOf(one: Colour, other: Colour): number {
  const [darker = 0, lighter = 0] = [luminanceOf(one), luminanceOf(other)].toSorted((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

function luminanceOf([red, green, blue]: Colour): number {
  const linear = (channel: number) => {
    const share = channel / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}
