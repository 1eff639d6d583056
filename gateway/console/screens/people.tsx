/** The search, and the screens of users, links and requests by version 2. They are loaded separately, because the first screen needs none of them. */
export { LinkScreen } from './link.tsx';
export { Links } from './links.tsx';
export { ReservationScreen } from './reservation.tsx';
export { Search } from './search.tsx';
export { UserScreen } from './user.tsx';
export { Users } from './users.tsx';
