import type { LiveState } from '../../client/index.ts';
import { isReachable } from '../session.tsx';
import { words } from '../settings.tsx';
import { Icon } from './icon.tsx';
import type { Tone } from './values.tsx';

interface LiveBarProps {
  readonly connection: LiveState;
  readonly isPaused: boolean;
  readonly setPaused: (isPaused: boolean) => void;
  /** The number of new rows; they appear when the reader asks for them. */
  readonly fresh: number;
  /** The number of changes that wait while it is paused. */
  readonly held: number;
  readonly onShow: () => void;
}

/** Shows whether a list is live, and the number of waiting changes. */
export function LiveBar({ connection, isPaused, setPaused, fresh, held, onShow }: LiveBarProps) {
  const { states } = words.value;
  return (
    <div class="live-bar">
      <Connection state={connection} isPaused={isPaused} />
      <button type="button" class="small" aria-pressed={isPaused} onClick={() => setPaused(!isPaused)}>
        <Icon name={isPaused ? 'resume' : 'pause'} /> {isPaused ? states.resume : states.pause}
      </button>
      <span role="status">
        {isPaused && held > 0 && states.held(held)}
        {fresh > 0 && (
          <button type="button" class="small primary" onClick={onShow}>
            {states.fresh(fresh)}
          </button>
        )}
      </span>
    </div>
  );
}

/**
 * Shows whether changes arrive, which they do not while the server or its database is unreachable. Its text changes
 * only with that state, so that screen readers read it once.
 */
export function Connection({
  state,
  isPaused = false,
}: {
  readonly state: LiveState;
  readonly isPaused?: boolean;
}) {
  const { states } = words.value;
  const name = state.name === 'live' && !isReachable.value ? 'resuming' : state.name;
  const [tone, text]: readonly [Tone, string] =
    name === 'ended'
      ? ['bad', states.ended]
      : name === 'resuming'
        ? ['bad', states.resuming]
        : isPaused
          ? ['idle', states.paused]
          : name === 'connecting'
            ? ['busy', states.connecting]
            : ['good', states.live];
  return (
    <span class={`connection ${tone}`} role="status" data-state={isPaused ? 'paused' : name}>
      <Icon name={tone} /> {text}
    </span>
  );
}
