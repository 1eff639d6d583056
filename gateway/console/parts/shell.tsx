import type { ComponentChildren } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import type { Language, Zone } from '../format.ts';
import { PATHS, PLATFORM_PATHS } from '../screens/paths.ts';
import { searchFor } from '../search-text.tsx';
import { type ConsoleAccess, check, isPlatform, type PartnerSession, session, signOut } from '../session.tsx';
import { language, type Theme, theme, words, zone } from '../settings.tsx';
import { useDismissal } from '../use-dismissal.tsx';
import { useEvery } from '../use-every.tsx';
import { Icon } from './icon.tsx';
import { Keyboard } from './keyboard.tsx';
import { Navigation } from './navigation.tsx';
import { LoadingNote } from './states.tsx';

/** A screen that reads nothing by itself would show the data of a session that has ended. */
const CHECK_MS = 4_000;
const checkSession = () => void check();

/** The frame of each screen: search, navigation, settings. */
export function Shell({ children }: { readonly children: ComponentChildren }) {
  useEvery(CHECK_MS, checkSession);
  return (
    <>
      <a class="skip" href="#content">
        {words.value.common.skip}
      </a>
      <header class="top">
        <Whose />
        {!isPlatform() && <SearchBox />}
        <Keyboard />
        <Settings />
      </header>
      <LoadingNote />
      <div class="columns">
        <Navigation />
        <main id="content">{children}</main>
      </div>
    </>
  );
}

/** The partner whose data the console shows, and whether the money is real. */
function Whose() {
  const state = session.value;
  if (state.name !== 'signed-in') {
    return null;
  }
  return state.session.partner === null ? (
    <a class="partner" href={PLATFORM_PATHS.tenants}>
      <strong>{words.value.operators.platform}</strong> <Role of={state.session.access} />
    </a>
  ) : (
    <PartnerName of={state.session} />
  );
}

function PartnerName({ of: { partner, environment, access } }: { readonly of: PartnerSession }) {
  const { values } = words.value;
  return (
    <a class="partner" href={PATHS.overview}>
      <strong>{partner.name}</strong>{' '}
      <span class={`environment ${environment}`}>{values[environment === 'live' ? 'LIVE' : 'SANDBOX']}</span>{' '}
      <Role of={access} />
    </a>
  );
}

/** The role of the session, unless it is the highest one. */
function Role({ of }: { readonly of: ConsoleAccess }) {
  return of === 'admin' ? null : <span class="environment role">{words.value.access.roles[of]}</span>;
}

/** Finds any record by an exact value, such as an id. */
function SearchBox() {
  const { route } = useLocation();
  const [text, setText] = useState('');
  const { common } = words.value;
  const search = () => {
    if (text.trim() !== '') {
      searchFor(text.trim());
      route(PATHS.search);
      setText('');
    }
  };
  return (
    <search>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          search();
        }}
      >
        <input
          type="search"
          aria-label={common.searchLabel}
          placeholder={common.searchLabel}
          autocomplete="off"
          spellcheck={false}
          maxLength={254}
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
        <button type="submit">
          <Icon name="search" /> {common.search}
        </button>
      </form>
    </search>
  );
}

function Settings() {
  const menu = useRef<HTMLDetailsElement>(null);
  useDismissal(menu, () => menu.current?.removeAttribute('open'));
  const { common } = words.value;
  return (
    <details ref={menu} class="settings">
      <summary>
        <Icon name="preferences" /> {common.settings}
      </summary>
      <div>
        <p>
          <label for="language">{common.language}</label>
          <select
            id="language"
            value={language.value}
            onChange={({ currentTarget }) => {
              language.value = currentTarget.value as Language;
            }}
          >
            <option value="en" lang="en">
              English
            </option>
            <option value="es" lang="es">
              Español
            </option>
          </select>
        </p>
        <p>
          <label for="zone">{common.zone}</label>
          <select
            id="zone"
            value={zone.value}
            onChange={({ currentTarget }) => {
              zone.value = currentTarget.value as Zone;
            }}
          >
            <option value="local">{common.local}</option>
            <option value="utc">UTC</option>
          </select>
        </p>
        <p>
          <label for="theme">{common.theme}</label>
          <select
            id="theme"
            value={theme.value}
            onChange={({ currentTarget }) => {
              theme.value = currentTarget.value as Theme;
            }}
          >
            <option value="auto">{common.auto}</option>
            <option value="light">{common.light}</option>
            <option value="dark">{common.dark}</option>
          </select>
        </p>
        <button type="button" onClick={() => void signOut()}>
          <Icon name="signOut" /> {common.signOut}
        </button>
      </div>
    </details>
  );
}
