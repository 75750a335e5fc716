import type { Place, PlaceOf } from '../../src/server/analytics/capture/places.ts'
import type { Visit } from '../../src/server/analytics/capture/visit.ts'
import { agents, machines } from './agents.ts'
import { type AudienceName, audiences, type Device } from './audiences.ts'
import { Dice } from './dice.ts'

const languages: Record<string, string> = {
  GB: 'en-GB,en;q=0.9',
  IE: 'en-IE,en;q=0.9',
  US: 'en-US,en;q=0.9',
  CA: 'en-CA,en;q=0.9,fr-CA;q=0.7',
  AU: 'en-AU,en;q=0.9',
  DE: 'de-DE,de;q=0.9,en;q=0.7',
  FR: 'fr-FR,fr;q=0.9,en;q=0.6',
  ES: 'es-ES,es;q=0.9',
  IT: 'it-IT,it;q=0.9',
  NL: 'nl-NL,nl;q=0.9,en;q=0.8',
  PL: 'pl-PL,pl;q=0.9',
  SE: 'sv-SE,sv;q=0.9,en;q=0.8',
  JP: 'ja-JP,ja;q=0.9',
}

/** Above 1, few of an audience make many of its scans. */
const LOYALTY = 1.8

/** Where the demo's made-up addresses are; they say their country themselves and nobody has them. */
export const demoPlaceOf: PlaceOf = (address): Place => ({
  country: address.split('.')[0] ?? null,
  region: null,
  city: null,
})

/** One of an audience follows a code's link: always with the same phone, from the same place. */
export function visitOf(name: AudienceName, dice: Dice): Visit {
  const audience = audiences[name]
  const number = Math.floor(audience.size * dice.next() ** LOYALTY)
  const person = new Dice(`${name} ${number}`)
  const country = person.pick(Object.entries(audience.countries))
  const device = person.pick(Object.entries(audience.devices)) as Device
  const agent = person.pick(Object.entries(agents[device]))
  const referer = dice.chance(audience.referred)
    ? dice.pick(Object.entries(audience.referrers))
    : undefined
  return {
    method: 'GET',
    address: `${country}.${name}.${number}`,
    headers: { 'user-agent': agent, 'accept-language': languages[country], referer },
  }
}

/** A program looks at a code's link, for a preview or an index, or only whether it is there. */
export function machineVisit(dice: Dice): Visit {
  return {
    method: dice.chance(0.1) ? 'HEAD' : 'GET',
    address: `US.machines.${dice.below(40)}`,
    headers: { 'user-agent': dice.pick(Object.entries(machines)) },
  }
}
