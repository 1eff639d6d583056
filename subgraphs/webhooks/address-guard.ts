import ipaddr, { type IPv4, type IPv6 } from 'ipaddr.js';

/** Decides which addresses a webhook may be posted to. */
export interface AddressGuard {
  /** Whether a connection may be made to this address (an IP literal as the resolver or the URL gives it). */
  permits(address: string): boolean;
}

type Range = readonly [IPv4 | IPv6, number];

/** Global unicast; what IANA has not put in use as such cannot be a receiver. */
const GLOBAL_UNICAST_V6: [IPv6, number] = [ipaddr.IPv6.parse('2000::'), 3];

/**
 * Only public unicast addresses, plus the blocks allowed by configuration (`WEBHOOK_ALLOWED_CIDRS`). Private, loopback,
 * link-local, unique-local, shared (CGNAT), multicast, broadcast, documentation and reserved ranges are forbidden, and so
 * is every IPv6 form that carries an IPv4 address (mapped, compatible, NAT64, 6to4, Teredo): what it leads to
 * depends on the network. A mapped address counts as inside an allowed IPv4 block that holds the address it carries.
 * @throws when a block is not in CIDR notation; configuration is checked at boot
 */
export function createAddressGuard(allowedCidrs: readonly string[]): AddressGuard {
  const allowed = allowedCidrs.map((block) => ipaddr.parseCIDR(block));
  return { permits: (address) => permits(allowed, address) };
}

function permits(allowed: readonly Range[], address: string): boolean {
  if (!ipaddr.isValid(address)) {
    return false;
  }
  const parsed = ipaddr.parse(address);
  return isPublic(parsed) || forms(parsed).some((form) => allowed.some((range) => contains(range, form)));
}

function isPublic(address: IPv4 | IPv6): boolean {
  return address.range() === 'unicast' && (isV4(address) || address.match(GLOBAL_UNICAST_V6));
}

/** The address, and the one inside it when it is an IPv4 address written as IPv6. */
function forms(address: IPv4 | IPv6): (IPv4 | IPv6)[] {
  return !isV4(address) && address.isIPv4MappedAddress() ? [address, address.toIPv4Address()] : [address];
}

function contains([base, bits]: Range, address: IPv4 | IPv6): boolean {
  // The cast: TypeScript does not see that both are of one kind.
  return base.kind() === address.kind() && address.match(base as IPv4 & IPv6, bits);
}

function isV4(address: IPv4 | IPv6): address is IPv4 {
  return address.kind() === 'ipv4';
}
