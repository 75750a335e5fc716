import type { Invoice } from '#contract/billing.ts'
import type { BillingPeriod, PaidTier } from '#contract/plans.ts'

/**
 * A subscription as a payment provider tells it, in our words. Instants are epoch milliseconds;
 * `status` is one of Stripe's (https://docs.stripe.com/api/subscriptions/object#subscription_object-status).
 */
export type ProvidedSubscription = {
  id: string
  tier: PaidTier
  billing: BillingPeriod
  status: string
  currentPeriodEnd: number | null
  endsAtPeriodEnd: boolean
  createdAt: number
}

export type Choice = { tier: PaidTier; billing: BillingPeriod }

/** Where the browser comes back to. */
export type ReturnUrls = { success: string; cancel: string }

/**
 * A payment to be opened. `id` is ours: asking twice with the same id opens one payment.
 * `embedded` ones are paid in a page of ours, which asks `paymentOf` for what its form needs.
 */
export type CheckoutRequest = Choice & {
  id: string
  userId: string
  customerId: string
  embedded: boolean
  returnTo: ReturnUrls
}

/** An opened payment. `url` is the provider's page; null where it is embedded. */
export type OpenCheckout = { sessionId: string; url: string | null }

export type CheckoutState = 'open' | 'complete' | 'closed'

/** What an event of the provider is about. Its content is not trusted: the state is read anew. */
export type ProviderEvent = { id: string; customerId: string | null }

/** Who asks to pay. */
export type Payer = { userId: string; email: string; name: string }

/** Thrown by calls that need a customer whom somebody deleted in the provider's own pages. */
export class CustomerGone extends Error {}

/**
 * What Tessera needs of a payment provider. Every call may fail with AppError
 * `payments_unavailable`: nothing has happened then that a second try would do twice.
 */
export type PaymentProvider = {
  name: 'stripe' | 'sandbox'
  /**
   * Answers the customer's id; the same one when asked again for the same account.
   * @param gone the customer in whose place this one comes, where that is gone
   */
  createCustomer: (payer: Payer, gone?: string) => Promise<string>
  /** All subscriptions that the customer has or had; none for a customer who is not there any more. */
  subscriptionsOf: (customerId: string) => Promise<ProvidedSubscription[]>
  /** @throws CustomerGone */
  openCheckout: (request: CheckoutRequest) => Promise<OpenCheckout>
  checkoutState: (sessionId: string) => Promise<CheckoutState>
  /** Closes every payment that the customer has open, but for the one with this id. */
  closeCheckouts: (customerId: string, exceptId?: string) => Promise<void>
  /** What the form of an embedded payment needs: the secret is for this payment only. */
  paymentOf: (sessionId: string) => Promise<{ amount: number; clientSecret: string | null }>
  /** The provider's page that confirms a change to another plan, with what it costs. */
  openPlanChange: (
    change: Choice & { customerId: string; subscriptionId: string; returnTo: string },
  ) => Promise<string>
  /** The provider's page for cards, invoices and the plan. */
  openPortal: (customerId: string, returnTo: string) => Promise<string>
  /** Lets a subscription end with the period that is paid for, or not after all. */
  setEnding: (subscriptionId: string, ending: boolean) => Promise<void>
  /** Newest first, at most INVOICES_MAX. */
  invoicesOf: (customerId: string) => Promise<Invoice[]>
  /**
   * Reads a signed event from its raw body; null for one of another mode (test or live).
   * @throws AppError bad_signature
   */
  readEvent: (body: Buffer, signature: string | undefined) => Promise<ProviderEvent | null>
}
