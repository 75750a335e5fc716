import type { PublicConfig } from '#contract/accounts/accounts.ts'
import type {
  BillingAddress,
  ChangePreview,
  Discount,
  Invoice,
  Payment,
} from '#contract/billing/billing.ts'
import type { BillingPeriod, PaidTier } from '#contract/billing/plans.ts'
import type { WorkspaceId } from '../database/ids.ts'
import type { PaymentMode } from '../database/payment-mode.ts'
import type { Tables } from '../database/schema.ts'
import { AppError } from '../http/errors.ts'
import type { PaidInvoice } from './types.ts'

/**
 * A subscription at a payment provider, in our words. Instants are epoch milliseconds;
 * `status` is one of Stripe's (https://docs.stripe.com/api/subscriptions/object#subscription_object-status).
 */
export type ProvidedSubscription = {
  id: string
  tier: PaidTier
  billing: BillingPeriod
  status: string
  /** Until when it is paid, and after its end when it ended; null if that is not known */
  paidUntil: number | null
  endsAtPeriodEnd: boolean
  /** Whether the payment failed that its running or last period began with */
  isUnpaid: boolean
  /** When it ended; null while it runs */
  endedAt: number | null
  /** The change that the provider makes by itself; missing if it plans none */
  next?: PlannedChange | undefined
  createdAt: number
  discount?: Discount | undefined
  /** Whether it began with a free trial */
  hadTrial?: boolean
  /** The wish that it ends, with the person's reason if one was given */
  cancellation?: PaymentRecord | undefined
}

/** A fact about payments that is kept for the operator. No plan depends on it. */
export type PaymentRecord = Omit<Tables['payment_records'], 'workspace_id' | 'provider'>

export type Choice = { tier: PaidTier; billing: BillingPeriod }

/** A change to another choice from an instant on. */
export type PlannedChange = Choice & { at: number }

/** A change of a running subscription to another choice. */
export type SubscriptionChange = Choice & { subscriptionId: string }

/** Where the browser comes back to. */
export type ReturnUrls = { success: string; cancel: string }

/**
 * A payment to be opened. `id` is ours: asking twice with the same id opens one payment.
 * `embedded` ones are paid in a page of ours, which asks `paymentOf` for what its form needs. The first
 * `trialDays` are free, which only the provider's page offers.
 */
export type CheckoutRequest = Choice & {
  id: string
  workspaceId: WorkspaceId
  customerId: string
  embedded: boolean
  trialDays: number
  returnTo: ReturnUrls
}

/**
 * An opened payment. `url` is the provider's page; null if it is paid on our page. With `isPaid` nothing
 * is due, because the customer's credit covers the bill.
 */
export type OpenCheckout = { sessionId: string; url: string | null; isPaid: boolean }

/** The data for the form of an embedded payment. */
export type OpenPayment = Pick<Payment, 'amount' | 'clientSecret' | 'tax' | 'discount'>

/** Whether prices contain tax, by `priceKey`. */
export type TaxBehaviors = NonNullable<PublicConfig['taxBehaviors']>

export type CheckoutState = 'open' | 'complete' | 'closed'

/** The subject of a provider's event. The rest of it is not trusted: the state is read again. */
export type ProviderEvent = {
  id: string
  customerId: string | null
  /** The subscription or the session of an event that does not name its customer */
  subscriptionId: string | null
  /** For a dispute, which names only the payment */
  chargeId: string | null
}

export type Payer = { workspaceId: WorkspaceId; email: string; name: string }

/** Thrown by calls that need a customer who was deleted in the provider's own pages. */
export class CustomerGone extends Error {}

/** Thrown if the provider refuses our key: it would refuse every other call too. */
export class KeyRefused extends AppError {}

/**
 * The calls of a payment provider that Tessera needs. Every call may fail with AppError
 * `payments_unavailable`, and can then be repeated: nothing is done twice. With `payment_refused` it
 * would fail again.
 */
export type PaymentProvider = {
  name: 'stripe' | 'sandbox'
  /** Absent where no real money is paid. */
  mode?: PaymentMode
  /**
   * Returns the customer's id; the same one when asked again for the same account.
   * @param gone the deleted customer whom this one replaces
   */
  createCustomer: (payer: Payer, gone?: string) => Promise<string>
  /** All subscriptions that the customer has or had; none for a deleted customer. */
  subscriptionsOf: (customerId: string) => Promise<ProvidedSubscription[]>
  /** The newest payments, refunds and disputes of a customer. Absent where no real money is paid. */
  recordsOf?: (customerId: string) => Promise<PaymentRecord[]>
  /** The invoices that were paid last. */
  paidInvoicesOf?: (customerId: string) => Promise<PaidInvoice[]>
  /** @throws CustomerGone */
  openCheckout: (request: CheckoutRequest) => Promise<OpenCheckout>
  checkoutState: (sessionId: string) => Promise<CheckoutState>
  /** Closes every open payment of the customer except that of this session, or those of this request. */
  closeCheckouts: (customerId: string, exceptId?: string) => Promise<void>
  /**
   * The amount and the secret that the form of an embedded payment needs: the secret is for this payment
   * only.
   * @throws AppError payment_made, checkout_not_found
   */
  paymentOf: (sessionId: string) => Promise<OpenPayment>
  /**
   * Replaces an embedded payment by one with a promotion code, or without it if it `isRefused`. The form gets
   * the secret of the new one only after this, when the former one is closed.
   * @throws AppError promotion_refused, payment_under_way
   */
  applyPromotion?: (
    request: CheckoutRequest,
    promotion: { sessionId: string; code: string },
  ) => Promise<OpenCheckout & { isRefused?: boolean }>
  /** Where tax is computed. */
  tax?:
    | {
        /** @throws AppError address_refused; CustomerGone */
        saveAddress: (customerId: string, address: BillingAddress) => Promise<void>
        /** As they were last read; undefined before that. */
        behaviors: () => TaxBehaviors | undefined
      }
    | undefined
  /**
   * The provider's page that confirms a change to another plan, with what it costs. A change that is
   * planned is called off.
   */
  openPlanChange: (
    change: SubscriptionChange & { customerId: string; returnTo: ReturnUrls },
  ) => Promise<string>
  /** The cost of a change that takes effect at once; null if only the provider's page has it. */
  previewChange: (change: SubscriptionChange) => Promise<ChangePreview | null>
  /** The provider's page for cards, invoices and the plan. */
  openPortal: (customerId: string, returnTo: string) => Promise<string>
  /**
   * Cancels a subscription at the end of its paid period, or lets it renew after all. A change that is
   * planned is called off.
   */
  setCancelAtPeriodEnd: (subscriptionId: string, cancel: boolean) => Promise<void>
  /** Calls off the change that is planned, if any. */
  keepPlan: (subscriptionId: string) => Promise<void>
  /** Ends all subscriptions of a customer at once, and forgets the customer; nothing if it is gone. */
  forgetCustomer: (customerId: string) => Promise<void>
  /** Newest first, at most INVOICES_MAX. */
  invoicesOf: (customerId: string) => Promise<Invoice[]>
  /** Its events are signed with one of them. */
  webhookSecrets: string[]
}
