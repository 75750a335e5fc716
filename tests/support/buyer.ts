import type { Subscription } from '../../src/contract/billing/billing.ts'
import type { BillingPeriod, PaidTier } from '../../src/contract/billing/plans.ts'
import type { PortalPage, TestCard, TestClockStep } from '../../src/contract/billing/sandbox.ts'
import { enrolForEach, newPerson, type Person } from './person.ts'
import type { Tessera } from './tessera.ts'

/** The id at the end of a page's address. */
export const idOf = (url: string) => new URL(url).pathname.split('/').at(-1) ?? ''

/** A person who buys plans with test cards, by the calls of the sandbox's pages. */
export class Buyer {
  readonly person: Person

  constructor(person: Person) {
    this.person = person
  }

  /** Chooses a plan; returns the address of the page where it is paid or changed. */
  async choose(tier: PaidTier, billing: BillingPeriod): Promise<string> {
    type Session = { checkoutUrl: string }
    const choice = { tier, billing }
    return (await this.person.make<Session>('/api/create-checkout-session', choice)).checkoutUrl
  }

  /** Does something on a page. */
  act(id: string, action: string, more?: object): Promise<Response> {
    return this.person.post(`/api/checkout/${id}/page`, { action, ...more })
  }

  /** Confirms a change, or pays; returns where the browser goes. */
  async confirm(id: string, card?: TestCard): Promise<string> {
    type Done = { returnTo: string }
    const act = { action: 'pay', card }
    return (await this.person.make<Done>(`/api/checkout/${id}/page`, act)).returnTo
  }

  pay(id: string, card: TestCard = 'pays'): Promise<string> {
    return this.confirm(id, card)
  }

  async buy(tier: PaidTier, billing: BillingPeriod, card: TestCard = 'pays'): Promise<void> {
    await this.pay(idOf(await this.choose(tier, billing)), card)
  }

  page<Page>(id: string): Promise<Page> {
    return this.person.ask<Page>(`/api/checkout/${id}/page`)
  }

  /** Opens the page for cards, invoices and the plan; returns its id. */
  async portal(): Promise<string> {
    type Answer = { portalUrl: string }
    return idOf((await this.person.make<Answer>('/api/user/billing-portal')).portalUrl)
  }

  async advance(...steps: TestClockStep[]): Promise<PortalPage> {
    const id = await this.portal()
    for (const step of steps) await this.act(id, 'advance', { step })
    return this.page<PortalPage>(id)
  }

  subscription(): Promise<Subscription> {
    return this.person.ask('/api/user/subscription')
  }
}

export async function newBuyer(tessera: Tessera): Promise<Buyer> {
  return new Buyer(await newPerson(tessera))
}

/** Makes a buyer before each test. */
export const buyerForEach = (tessera: Tessera) => new Buyer(enrolForEach(tessera))
