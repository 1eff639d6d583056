import { createElement, type FunctionComponent } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { GraphError } from '../graph.ts';
import { check, isReachable } from '../session.tsx';
import { words } from '../settings.tsx';
import { Failed, Loading } from './states.tsx';

/**
 * A component of a part of the console that most visits do not need. The part is loaded when the component is first shown; until then
 * the component shows a skeleton, or the failure with a way to load the page again.
 * @param load imports the part
 * @param pick the component of the part, which gets all properties
 */
export function loadLater<Part, Props extends object = object>(
  load: () => Promise<Part>,
  pick: (part: Part) => FunctionComponent<Props>,
) {
  return function LoadedLater(props: Props) {
    const [part, setPart] = useState<Part>();
    const [isFailed, setFailed] = useState(false);
    useEffect(() => {
      load().then(setPart, () => {
        setFailed(true);
        void check();
      });
    }, []);
    if (part) {
      return createElement(pick(part), props);
    }
    return isFailed ? <NotLoaded /> : <Loading place="rows" />;
  };
}

/**
 * Another import would not help: a new version of the server has other files, and most browsers keep the failure of an import
 * until the page is loaded again.
 */
function NotLoaded() {
  const code = isReachable.value ? 'SCREEN_NOT_LOADED' : 'OFFLINE';
  const reload = async () => {
    await check();
    // Without the server, the browser would replace the console by its own error page.
    if (isReachable.value) {
      location.reload();
    }
  };
  return (
    <Failed error={new GraphError(code, words.value.notices.newVersion)} onRetry={() => void reload()} />
  );
}
