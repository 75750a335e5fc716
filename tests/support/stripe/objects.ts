/** Stripe's objects, as far as the stand-in has them. Instants are epoch seconds. */
export type Metadata = Record<string, string>

type Stored<Name extends string> = { id: string; object: Name; created: number; livemode: boolean }

export type Customer = Stored<'customer'> & {
  email: string
  name: string
  metadata: Metadata
  /** The currency of its first bill; all others must have the same. */
  currency?: string
  /** In cents; a credit is below zero. */
  balance?: number
  deleted?: true
}

export type Product = Stored<'product'> & {
  name: string
  description: string | null
  active: boolean
  metadata: Metadata
}

export type Price = Stored<'price'> & {
  product: string
  active: boolean
  currency: string
  unit_amount: number
  recurring: { interval: 'month' | 'year'; interval_count: number }
  lookup_key: string | null
  metadata: Metadata
  type: 'recurring'
}

export type Session = Stored<'checkout.session'> & {
  customer: string
  status: 'open' | 'complete' | 'expired'
  url: string | null
  price: string
  amount_total: number
  subscription: string | null
  client_reference_id: string | null
  metadata: Metadata
  success_url: string
  cancel_url: string
  subscription_metadata: Metadata
}

export type Item = {
  id: string
  object: 'subscription_item'
  price: Price
  quantity: number
  current_period_start: number
  current_period_end: number
}

export type Subscription = Stored<'subscription'> & {
  customer: string
  status: string
  cancel_at: number | null
  cancel_at_period_end: boolean
  canceled_at: number | null
  cancellation_details: {
    comment: string | null
    feedback: string | null
    reason: string | null
  }
  ended_at: number | null
  /** The schedule that plans its changes; only there can its end be set. */
  schedule: string | null
  currency: string
  items: { object: 'list'; data: Item[]; has_more: false; url: string }
  latest_invoice: string
  metadata: Metadata
}

export type Invoice = Stored<'invoice'> & {
  customer: string
  subscription: string
  number: string
  status: 'draft' | 'open' | 'paid' | 'void' | 'uncollectible'
  amount_due: number
  amount_paid: number
  amount_remaining: number
  total: number
  currency: string
  hosted_invoice_url: string
  client_secret: string
  status_transitions: { paid_at: number | null }
}

export type Charge = Stored<'charge'> & {
  customer: string
  amount: number
  amount_refunded: number
  currency: string
  status: 'succeeded' | 'pending' | 'failed'
  disputed: boolean
  refunds: Refund[]
}

export type Refund = Stored<'refund'> & {
  charge: string
  customer: string
  amount: number
  currency: string
  status: string
  reason: string | null
}

/** It does not name its customer. */
export type Dispute = Stored<'dispute'> & {
  charge: string
  amount: number
  currency: string
  status: string
  reason: string
}

export type PortalConfiguration = Stored<'billing_portal.configuration'> & {
  active: boolean
  features: PortalFeatures
  metadata: Metadata
}

export type PortalFeatures = {
  subscription_update?: {
    enabled: boolean
    products?: { product: string; prices: string[] }[]
  }
}

export type PortalSession = Stored<'billing_portal.session'> & {
  customer: string
  configuration: string
  url: string
  flow: unknown
  return_url: string | undefined
}

export type Endpoint = Stored<'webhook_endpoint'> & {
  url: string
  enabled_events: string[]
  status: 'enabled' | 'disabled'
  api_version: string | null
  secret: string
  metadata: Metadata
}

export type StripeEvent = Stored<'event'> & {
  type: string
  api_version: string
  data: { object: Record<string, unknown> }
  pending_webhooks: number
}
