import { readFileSync } from 'node:fs';
import { DockerfileParser } from 'dockerfile-ast';

/** An instruction of the Dockerfile. */
interface Instruction {
  /** In capitals, such as `RUN`. */
  readonly keyword: string;
  /** Its arguments on one line. */
  readonly text: string;
}

interface Stage {
  /** Its base image, arguments filled in. */
  readonly image: string;
  readonly instructions: readonly Instruction[];
}

/** The stages of the Dockerfile, in its order. */
export function readStages(): Stage[] {
  const all = DockerfileParser.parse(readFileSync('Dockerfile', 'utf8'))
    .getInstructions()
    .map((instruction) => ({
      keyword: instruction.getKeyword(),
      text: (instruction.getArgumentsContent() ?? '').replaceAll(/\\\n\s*/g, ''),
    }));
  const first = all.findIndex(({ keyword }) => keyword === 'FROM');
  const defaults = new Map(
    all.slice(0, first).flatMap(({ keyword, text }) => {
      const [name = '', value = ''] = text.split('=');
      return keyword === 'ARG' ? [[name, value] as const] : [];
    }),
  );
  const starts = all.flatMap(({ keyword }, index) => (keyword === 'FROM' ? [index] : []));
  return starts.map((start, index) => ({
    image: (all[start]?.text.split(' ')[0] ?? '').replace(
      /^\$\{(\w+)\}$/,
      (whole, name: string) => defaults.get(name) ?? whole,
    ),
    instructions: all.slice(start + 1, starts[index + 1]),
  }));
}
