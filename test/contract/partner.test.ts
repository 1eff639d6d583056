import { describeSurface } from './surface.ts';

describeSurface('partner');
