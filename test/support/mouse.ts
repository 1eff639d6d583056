/** The mouse of a page in a browser. */
export interface Mouse {
  readonly send: (method: string, params?: Record<string, unknown>) => Promise<unknown>;
  /** Polls until the expression is true. */
  readonly until: (expression: string) => Promise<void>;
  /** Gives the value of an expression; undefined when the page is replaced meanwhile. */
  readonly evaluate: (expression: string) => Promise<unknown>;
}

/** The middle of an element, in CSS pixels of the window. */
function middleOf(element: string): string {
  return `(({ x, y, width, height }) => [x + width / 2, y + height / 2])((${element}).getBoundingClientRect())`;
}

/** Not before the element stands where the mouse will be: what opens moves there first. */
export async function click(
  { send, until, evaluate }: Mouse,
  element: string,
  button: 'left' | 'middle',
): Promise<void> {
  const middle = middleOf(element);
  let isPressed = false;
  while (!isPressed) {
    await until(`(${element})?.contains(document.elementFromPoint(...${middle}))`);
    const place = await evaluate(aimAt(element, middle));
    if (Array.isArray(place)) {
      const [x, y] = place;
      for (const type of ['mouseMoved', 'mousePressed', 'mouseReleased']) {
        await send('Input.dispatchMouseEvent', { type, x, y, button, clickCount: 1 });
      }
      // A page that is gone has been pressed.
      isPressed = (await evaluate('window.endPress?.()')) !== false;
    }
  }
}

/**
 * Has the page let only the element get the next press of the mouse. `endPress` gives whether it did: what a page reads
 * late may move it away between two commands. A menu may open when the button goes down, and take the rest of the press.
 * @returns its place; null when the element is gone
 */
function aimAt(element: string, middle: string): string {
  return `(() => {
    const target = ${element};
    if (!target) return null;
    let isPressed = false;
    const guard = (event) => {
      if (isPressed) return;
      if (!target.contains(event.target)) {
        event.preventDefault();
        event.stopImmediatePropagation();
      } else if (event.type === 'click' || event.type === 'auxclick') {
        isPressed = true;
      }
    };
    const types = ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click', 'auxclick'];
    for (const type of types) addEventListener(type, guard, true);
    window.endPress = () => {
      for (const type of types) removeEventListener(type, guard, true);
      return isPressed || target.ariaExpanded === 'true';
    };
    return ${middle};
  })()`;
}
