import { render } from 'preact';
import { App } from './app.tsx';
import { begin } from './session.tsx';

const root = document.getElementById('root');
if (root === null) {
  throw new Error('The page has no #root');
}
void begin();
render(<App />, root);
