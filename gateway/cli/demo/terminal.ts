import picocolors from 'picocolors';

type Colors = ReturnType<typeof picocolors.createColors>;

/** The output of the journey: text, and the colours that the reader wants. */
export interface Terminal {
  write(text: string): void;
  readonly colors: Colors;
}

/** Standard output; coloured on a terminal, unless `NO_COLOR` is set, and wherever `FORCE_COLOR` is set. */
export function standardTerminal(): Terminal {
  const wanted = process.stdout.isTTY === true || Boolean(process.env.FORCE_COLOR);
  return {
    write: (text) => {
      process.stdout.write(text);
    },
    colors: picocolors.createColors(wanted && picocolors.isColorSupported),
  };
}
