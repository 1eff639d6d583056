// Source maps of our own sources only. Node reads every map when a program starts, and most of each map would be positions
// in packages. Plain JavaScript, see dist.mjs.

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const VALUES = new Map([...DIGITS].map((digit, value) => [digit, value]));
const CONTINUES = 32;

/**
 * Removes the positions in other sources from a source map (version 3). Their segments then have no source.
 * @param text the map, JSON
 * @param isOwn whether the map includes a source, by the path that it has in the map
 */
export function keepOwnSources(text, isOwn) {
  const { names: _, ...map } = JSON.parse(text);
  const kept = new Map();
  map.sources.forEach((source, index) => {
    if (isOwn(source)) {
      kept.set(index, kept.size);
    }
  });
  return JSON.stringify({
    ...map,
    names: [],
    sources: map.sources.filter((_source, index) => kept.has(index)),
    mappings: filterMappings(map.mappings, kept),
  });
}

/** Segments are differences: columns of the generated code within a line, all else within the map. */
function filterMappings(mappings, kept) {
  const read = [0, 0, 0];
  const written = [0, 0, 0];
  return mappings
    .split(';')
    .map((line) => filterLine(line, { kept, read, written }))
    .join(';');
}

function filterLine(line, { kept, read, written }) {
  const segments = [];
  let column = 0;
  let writtenColumn = 0;
  let isOpen = false;
  for (const segment of line === '' ? [] : line.split(',')) {
    const [step, ...place] = decode(segment);
    column += step;
    place.slice(0, 3).forEach((difference, index) => {
      read[index] += difference;
    });
    const source = place.length === 0 ? undefined : kept.get(read[0]);
    if (source !== undefined || isOpen) {
      const here = source === undefined ? [] : [source, read[1], read[2]];
      const differences = here.map((value, index) => value - written[index]);
      segments.push([column - writtenColumn, ...differences].map(encode).join(''));
      here.forEach((value, index) => {
        written[index] = value;
      });
      writtenColumn = column;
      isOpen = source !== undefined;
    }
  }
  return segments.join(',');
}

function decode(segment) {
  const numbers = [];
  let [value, shift] = [0, 0];
  for (const digit of segment) {
    const bits = VALUES.get(digit);
    value += (bits & (CONTINUES - 1)) << shift;
    shift += 5;
    if ((bits & CONTINUES) === 0) {
      numbers.push(value & 1 ? -(value >> 1) : value >> 1);
      [value, shift] = [0, 0];
    }
  }
  return numbers;
}

function encode(number) {
  let rest = number < 0 ? (-number << 1) | 1 : number << 1;
  let digits = '';
  do {
    const bits = rest & (CONTINUES - 1);
    rest >>>= 5;
    digits += DIGITS[rest > 0 ? bits | CONTINUES : bits];
  } while (rest > 0);
  return digits;
}
