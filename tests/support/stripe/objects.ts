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
  address?: { country: string; postal_code: string }
  deleted?: true
}

export type Product = Stored<'product'> & {
  name: string
  description: string | null
  active: boolean
  metadata: Metadata
}

export type TaxBehavior = 'exclusive' | 'inclusive' | 'unspecified'

export type Price = Stored<'price'> & {
  product: string
  active: boolean
  currency: string
  unit_amount: number
  recurring: { interval: 'month' | 'year'; interval_count: number }
  lookup_key: string | null
  tax_behavior: TaxBehavior
  metadata: Metadata
  type: 'recurring'
}

export type Coupon = {
  id: string
  percent_off: number | null
  amount_off: number | null
  currency: string | null
  duration: 'once' | 'repeating' | 'forever'
  duration_in_months: number | null
  applies_to?: { products: string[] }
}

export type PromotionCode = Stored<'promotion_code'> & {
  code: string
  active: boolean
  customer: string | null
  promotion: { type: 'coupon'; coupon: Coupon }
  restrictions: { first_time_transaction: boolean }
}

export type Discount = {
  id: string
  object: 'discount'
  end: number | null
  promotion_code: string
  source: { type: 'coupon'; coupon: Coupon }
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
  trial_days: number
  automatic_tax: { enabled: boolean }
  tax_id_collection: { enabled: boolean }
}

export type Item = {
  id: string
  object: 'subscription_item'
  price: Price
  quantity: number
  current_period_start: number
  current_period_end: number
  tax_rates?: { id: string }[]
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
  automatic_tax: { enabled: boolean }
  discounts: Discount[]
  trial_start: number | null
  trial_end: number | null
}

type Phase = { start_date: number; end_date: number }

export type Schedule = Stored<'subscription_schedule'> & {
  customer: string
  subscription: string | null
  status: 'active' | 'released' | 'canceled'
  /** Null once it is released or canceled. */
  current_phase: Phase | null
  phases: (Phase & { items: { price: string }[] })[]
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
  total_discount_amounts: { amount: number; discount: string }[]
  total_taxes: { amount: number; tax_behavior: TaxBehavior }[]
  billing_reason: 'subscription_create' | 'subscription_cycle' | 'subscription_update'
  currency: string
  hosted_invoice_url: string
  client_secret: string
  status_transitions: { paid_at: number | null }
}

export type Charge = Stored<'charge'> & {
  customer: string
  amount: number
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
    schedule_at_period_end?: { conditions: { type: string }[] } | undefined
    products?: { product: string; prices: string[] }[]
  }
}

export type PortalFlow = {
  type: 'subscription_update_confirm'
  subscription_update_confirm: {
    subscription: string
    items: { id: string; price: string; quantity: number }[]
  }
}

export type PortalSession = Stored<'billing_portal.session'> & {
  customer: string
  configuration: string
  url: string
  flow: PortalFlow | null
}

export type Endpoint = Stored<'webhook_endpoint'> & {
  url: string
  enabled_events: string[]
  status: 'enabled' | 'disabled'
  api_version: string | null
  secret: string
}

export type StripeEvent = Stored<'event'> & {
  type: string
  api_version: string
  data: { object: Record<string, unknown> }
}
