import { useState } from 'preact/hooks';
import { exportQuery } from '../filters.ts';
import { GraphError, readFailure } from '../graph.ts';
import { SERVICE } from '../root.ts';
import { OWN_HEADERS } from '../session.tsx';
import { words } from '../settings.tsx';
import { Icon } from './icon.tsx';
import { Failed } from './states.tsx';

interface ExportButtonProps {
  /** Name of the list below `/exports`, and of the file. */
  readonly name: string;
  /** The filters of the list. */
  readonly where: object;
  /** Default: CSV. */
  readonly format?: 'csv' | 'jsonl';
}

/** Downloads all pages of the filtered list. */
export function ExportButton({ name, where, format = 'csv' }: ExportButtonProps) {
  const { common, states } = words.value;
  const [isRunning, setRunning] = useState(false);
  const [error, setError] = useState<GraphError>();
  const run = async () => {
    if (isRunning) {
      return;
    }
    setRunning(true);
    setError(await download(`${name}.${format}`, exportQuery(where)));
    setRunning(false);
  };
  const [label, title] = format === 'csv' ? [common.csv, common.csvLabel] : [common.jsonl, common.jsonlLabel];
  return (
    <>
      <button type="button" onClick={run} aria-disabled={isRunning} title={title}>
        <Icon name="export" /> {isRunning ? states.loading : label}
      </button>
      {error && <Failed error={error} />}
    </>
  );
}

/** @returns the reason if there is no file */
async function download(file: string, query: URLSearchParams): Promise<GraphError | undefined> {
  try {
    const response = await fetch(`${SERVICE}/exports/${file}?${query}`, { headers: OWN_HEADERS });
    if (!response.ok) {
      return readFailure(response, await response.text());
    }
    save(file, await response.blob());
    return undefined;
  } catch (error) {
    // The download may have been interrupted: a partial file is not saved.
    return new GraphError('OFFLINE', 'The server cannot be reached.', undefined, { cause: error });
  }
}

function save(file: string, content: Blob): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = file;
  link.click();
  // Not at once: the browser still reads it.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
