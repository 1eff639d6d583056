import { describeSurface } from './surface.ts';

describeSurface('request-money');
