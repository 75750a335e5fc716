import type { Subscription } from '../../src/contract/billing.ts'
import type { BillingPeriod, PaidTier } from '../../src/contract/plans.ts'
import type {
  PortalPage,
  SandboxDone,
  TestCard,
  TestClockStep,
} from '../../src/contract/sandbox.ts'
import { newPerson, type Person } from './person.ts'
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
    const init = { method: 'POST', body: { tier, billing } }
    type Session = { checkoutUrl: string }
    return (await this.person.ask<Session>('/api/create-checkout-session', init)).checkoutUrl
  }

  /** Makes a call of a page. */
  act(id: string, action: string, body?: object): Promise<Response> {
    return this.person.call(`/api/checkout/${id}/${action}`, { method: 'POST', body })
  }

  async pay(id: string, card: TestCard = 'pays'): Promise<string> {
    const init = { method: 'POST', body: { card } }
    return (await this.person.ask<SandboxDone>(`/api/checkout/${id}/pay`, init)).returnTo
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
    const init = { method: 'POST' }
    return idOf((await this.person.ask<Answer>('/api/user/billing-portal', init)).portalUrl)
  }

  async advance(...steps: TestClockStep[]): Promise<PortalPage> {
    const id = await this.portal()
    const path = `/api/checkout/${id}/advance`
    for (const step of steps) await this.person.make(path, { step })
    return this.page<PortalPage>(id)
  }

  subscription(): Promise<Subscription> {
    return this.person.ask('/api/user/subscription')
  }
}

export async function newBuyer(tessera: Tessera): Promise<Buyer> {
  return new Buyer(await newPerson(tessera))
}
