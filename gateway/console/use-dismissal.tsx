import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { useLocation } from 'preact-iso';

/**
 * Closes a menu on Escape, on a press outside of it, and when the address changes. After Escape, the focus that was in the menu is
 * on the control that opened it.
 * @param menu with the control as its first button or summary
 * @param close has no effect on a closed menu
 */
export function useDismissal(menu: RefObject<HTMLElement | null>, close: () => void): void {
  const { url } = useLocation();
  const dismiss = useRef(close);
  dismiss.current = close;
  useEffect(() => dismiss.current(), [url]);
  useEffect(() => {
    const leaving = new AbortController();
    const { signal } = leaving;
    const isIn = (target: EventTarget | null) =>
      target instanceof Node && menu.current?.contains(target) === true;
    const onKey = ({ key }: KeyboardEvent) => {
      if (key === 'Escape') {
        if (isIn(document.activeElement)) {
          menu.current?.querySelector<HTMLElement>('summary, button')?.focus();
        }
        dismiss.current();
      }
    };
    const onPress = ({ target }: MouseEvent) => {
      if (!isIn(target)) {
        dismiss.current();
      }
    };
    addEventListener('keydown', onKey, { signal });
    addEventListener('click', onPress, { signal });
    return () => leaving.abort();
  }, [menu]);
}
