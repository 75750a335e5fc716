import { Resolver } from 'node:dns/promises'
import { isIP } from 'node:net'

const TIMEOUT_MS = 2_500
const TRIES = 2

/** Where a claim's secret stands. A name with a CNAME can have no other record, so it is a name of its own. */
export const proofName = (host: string) => `_tessera.${host}`

/** Faults that mean: DNS has none (https://nodejs.org/api/dns.html#error-codes). */
const NONE = new Set(['ENODATA', 'ENOTFOUND', 'NXDOMAIN'])

export type Dns = ReturnType<typeof dnsOf>

/** The records that DNS has for a host. Null means that a question got no answer, an empty list that it has none. */
export type DnsAnswer = Awaited<ReturnType<Dns['ask']>>

/**
 * Asks DNS about customers' hosts.
 * @param here this server's host
 * @param servers addresses of DNS servers, such as 127.0.0.1:5353; none for those of the machine
 */
export function dnsOf(here: string, servers: readonly string[]) {
  const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: TRIES })
  if (servers.length > 0) resolver.setServers(servers)

  async function ask(host: string) {
    const [texts, names, addresses, ours] = await Promise.all([
      answered(resolver.resolveTxt(proofName(host))),
      answered(resolver.resolveCname(host)),
      addressesOf(host),
      isIP(here) ? [here] : addressesOf(here),
    ])
    const isNamed = names?.some((name) => name.toLowerCase() === here)
    const isThere = addresses?.some((address) => ours?.includes(address))
    const isKnown = names !== null && addresses !== null && ours !== null
    return {
      texts: texts?.map((parts) => parts.join('')) ?? null,
      names,
      addresses,
      /** Addresses of this server */
      ours: ours ?? [],
      /** Whether the host leads here; null if that cannot be said */
      points: isNamed || isThere || (isKnown ? false : null),
    }
  }

  async function addressesOf(name: string): Promise<string[] | null> {
    const [four, six] = await Promise.all([
      answered(resolver.resolve4(name)),
      answered(resolver.resolve6(name)),
    ])
    return four === null && six === null ? null : [...(four ?? []), ...(six ?? [])]
  }

  return { ask }
}

async function answered<Each>(question: Promise<Each[]>): Promise<Each[] | null> {
  try {
    return await question
  } catch (error) {
    return NONE.has((error as { code?: string }).code ?? '') ? [] : null
  }
}
