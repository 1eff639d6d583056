import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { words } from '../settings.tsx';
import { Copy } from './values.tsx';

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

/** A modal question. The browser keeps the focus in it, and closes it on Escape. */
export function Dialog({ title, onClose, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const element = dialog.current;
    element?.showModal();
    // Closed before it is removed: the browser then returns the focus to the element that opened it.
    return () => element?.close();
  }, []);
  return (
    <dialog ref={dialog} aria-label={title} onClose={onClose}>
      <h2>{title}</h2>
      {children}
    </dialog>
  );
}

interface ConfirmProps extends DialogProps {
  /** The label of the button. */
  readonly verb: string;
  /** The label of the button that leaves everything as it is; by default "Cancel". */
  readonly dismissal?: string | undefined;
  readonly isRunning: boolean;
  readonly onConfirm: () => void;
}

/** Asks for confirmation before an action with consequences. */
export function Confirm(props: ConfirmProps) {
  const {
    title,
    verb,
    dismissal = words.value.common.cancel,
    isRunning,
    onConfirm,
    onClose,
    children,
  } = props;
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (!isRunning) {
            onConfirm();
          }
        }}
      >
        {children}
        <p class="actions">
          <button type="submit" class="primary" aria-disabled={isRunning}>
            {verb}
          </button>
          <button type="button" onClick={onClose}>
            {dismissal}
          </button>
        </p>
      </form>
    </Dialog>
  );
}

/** A secret that is shown once. */
export function Secret({ title, text, onClose, children }: DialogProps & { readonly text: string }) {
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{children}</p>
      <p>
        <code class="secret">{text}</code>
      </p>
      <p class="actions">
        <Copy text={text} />
        <button type="button" class="primary" onClick={onClose}>
          {words.value.common.close}
        </button>
      </p>
    </Dialog>
  );
}
