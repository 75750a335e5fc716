import Bowser from 'bowser'
import type { FastifyRequest } from 'fastify'
import { type Origin, programOf } from '../actor.ts'
import { addressOf, unmapped } from '../http/policy/client-address.ts'

/** The origin of a request, as we keep and show it: the address is shortened, a program has its key's name. */
export function originOf(request: FastifyRequest): Origin {
  const program = programOf(request)
  return {
    address: shortened(addressOf(request)),
    device: program
      ? `${program.kind === 'app' ? 'Connected app' : 'API key'} “${program.name}”`
      : deviceOf(request.headers['user-agent'] ?? ''),
  }
}

/** An address without the part that names one machine: IPv4 to 24 bits, IPv6 to 48. A short one stays. */
export function shortened(address: string): string | null {
  const plain = unmapped(address)
  if (/^\d+\.\d+\.\d+\.(\d+|x)$/.test(plain)) return plain.replace(/[^.]+$/, 'x')
  const groups = plain.split('::')[0]?.split(':').filter(Boolean) ?? []
  return plain.includes(':') ? `${groups.slice(0, 3).join(':') || '0'}::` : null
}

const AGENT_MAX = 512
/** A made-up browser may name itself at length. */
const DEVICE_MAX = 80

/** A browser and its system, such as "Firefox on Windows". */
export function deviceOf(agent: string): string {
  if (!agent) return 'Unknown device'
  const { browser, os } = Bowser.parse(agent.slice(0, AGENT_MAX))
  const named = [browser.name, os.name].filter(Boolean)
  return named.join(' on ').slice(0, DEVICE_MAX) || 'Unknown device'
}
