import { PARTNER_TENANTS } from '../support/partner-tenants.ts';
import { describeSurface } from './surface.ts';

describeSurface('partner', { tenants: PARTNER_TENANTS });
