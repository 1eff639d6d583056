import { useState } from 'preact/hooks';
import { exportQuery } from '../filters.ts';
import { isFullFile } from '../full-file.ts';
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

/** Downloads the filtered list, and says when a file may not have all of it. */
export function ExportButton({ name, where, format = 'csv' }: ExportButtonProps) {
  const { common, lists, states } = words.value;
  const [isRunning, setRunning] = useState(false);
  const [isFull, setFull] = useState(false);
  const [error, setError] = useState<GraphError>();
  const run = async () => {
    if (isRunning) {
      return;
    }
    setRunning(true);
    setFull(false);
    const content = await download(`${name}.${format}`, exportQuery(where));
    setError(content instanceof GraphError ? content : undefined);
    setFull(content instanceof Blob && isFullFile(await content.text(), format));
    setRunning(false);
  };
  const [label, title] = format === 'csv' ? [common.csv, common.csvLabel] : [common.jsonl, common.jsonlLabel];
  return (
    <>
      <button type="button" onClick={run} aria-disabled={isRunning} title={title}>
        <Icon name="export" /> {isRunning ? states.loading : label}
      </button>
      {error && <Failed error={error} />}
      {isFull && <p role="status">{lists.fullFile}</p>}
    </>
  );
}

/** @returns the content of the file, or the reason if there is none */
async function download(file: string, query: URLSearchParams): Promise<Blob | GraphError> {
  try {
    const response = await fetch(`${SERVICE}/exports/${file}?${query}`, { headers: OWN_HEADERS });
    if (!response.ok) {
      return readFailure(response, await response.text());
    }
    const content = await response.blob();
    save(file, content);
    return content;
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
