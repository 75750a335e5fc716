import { z } from '../../../src/contract/zod.ts'
import type { PortalFeatures } from './objects.ts'

/*
 * The parameters of each request, all as text. Others are refused, even if the real Stripe takes
 * them: a request that Tessera does not make is a mistake.
 */

const text = z.string().min(1)
const bool = z.enum(['true', 'false']).transform((value) => value === 'true')
const int = z.string().regex(/^\d+$/).transform(Number)
const metadata = z.record(z.string().max(40), z.string().max(500))
const url = z.url()
const expand = z.array(text).optional()
const paging = {
  limit: int.pipe(z.number().min(1).max(100)).optional(),
  starting_after: text.optional(),
}

export const nothing = z.strictObject({})

export const customerNew = z.strictObject({ email: z.email(), name: z.string(), metadata })

export const customerChange = z.strictObject({
  name: z.string(),
  address: z.record(
    z.enum(['line1', 'line2', 'city', 'state', 'postal_code', 'country']),
    z.string(),
  ),
  tax: z.strictObject({ validate_location: z.enum(['auto', 'deferred', 'immediately']) }),
})

const taxBehavior = z.enum(['exclusive', 'inclusive', 'unspecified'])
const enabled = z.strictObject({ enabled: bool })

export const customerList = z.strictObject(paging)

export const productNew = z.strictObject({
  id: text.optional(),
  name: text,
  description: text.optional(),
  metadata: metadata.optional(),
})
export const productChange = z.strictObject({
  name: text.optional(),
  description: text.optional(),
  active: bool.optional(),
})

export const priceNew = z.strictObject({
  product: text,
  currency: z.literal('usd'),
  unit_amount: int,
  recurring: z.strictObject({ interval: z.enum(['month', 'year']) }),
  tax_behavior: taxBehavior.optional(),
  lookup_key: text.optional(),
  transfer_lookup_key: bool.optional(),
  metadata: metadata.optional(),
})
export const priceChange = z.strictObject({
  tax_behavior: taxBehavior.optional(),
  active: bool.optional(),
  metadata: metadata.optional(),
})
export const priceList = z.strictObject({
  lookup_keys: z.array(text).max(10).optional(),
  active: bool.optional(),
  ...paging,
})

const trial = {
  trial_period_days: int.pipe(z.number().min(1).max(730)).optional(),
  trial_settings: z
    .strictObject({
      end_behavior: z.strictObject({ missing_payment_method: z.literal('cancel') }),
    })
    .optional(),
}

export const sessionNew = z.strictObject({
  mode: z.literal('subscription'),
  ui_mode: z.literal('hosted_page'),
  customer: text,
  line_items: z.array(z.strictObject({ price: text, quantity: int })).min(1),
  client_reference_id: text.max(200).optional(),
  metadata: metadata.optional(),
  subscription_data: z.strictObject({ metadata, ...trial }).optional(),
  success_url: url,
  cancel_url: url,
  allow_promotion_codes: bool.optional(),
  automatic_tax: enabled.optional(),
  billing_address_collection: z.enum(['auto', 'required']).optional(),
  // Both are needed to save the address and the tax number of a customer who exists.
  customer_update: z
    .strictObject({ address: z.literal('auto'), name: z.literal('auto') })
    .optional(),
  tax_id_collection: enabled.optional(),
})
export const sessionList = z.strictObject({
  customer: text,
  status: z.literal('open'),
  ...paging,
})

export const sessionRead = z.strictObject({ expand: z.array(z.literal('subscription')).optional() })

export const subscriptionNew = z.strictObject({
  customer: text,
  items: z.array(z.strictObject({ price: text })).min(1),
  payment_behavior: z.literal('default_incomplete'),
  payment_settings: z.strictObject({ save_default_payment_method: z.literal('on_subscription') }),
  metadata: metadata.optional(),
  automatic_tax: enabled.optional(),
  discounts: z
    .array(z.strictObject({ promotion_code: text }))
    .length(1)
    .optional(),
  expand,
})
export const promotionList = z.strictObject({
  code: text,
  active: bool,
  expand: z.array(z.literal('data.promotion.coupon.applies_to')).optional(),
  ...paging,
})
export const subscriptionRead = z.strictObject({ expand })
export const subscriptionChange = z
  .strictObject({
    cancel_at_period_end: bool.optional(),
    cancel_at: z.union([z.literal(''), int]).optional(),
    automatic_tax: enabled.optional(),
    proration_behavior: z.enum(['none', 'create_prorations', 'always_invoice']).optional(),
  })
  .refine(
    (change) => change.cancel_at === undefined || change.cancel_at_period_end === undefined,
    'You can set one of the two',
  )
export const subscriptionList = z.strictObject({
  customer: text.optional(),
  status: z.literal('all').optional(),
  automatic_tax: enabled.optional(),
  expand: z.array(z.string().startsWith('data.')).optional(),
  ...paging,
})

const previewItem = z.strictObject({ id: text, price: text, quantity: int })
export const invoicePreview = z.strictObject({
  customer: text,
  subscription: text,
  preview_mode: z.enum(['next', 'recurring']).optional(),
  subscription_details: z.strictObject({
    items: z.array(previewItem).length(1),
    proration_behavior: z.enum(['none', 'create_prorations', 'always_invoice']).optional(),
    trial_end: z.literal('now').optional(),
  }),
})

export const invoiceList = z.strictObject({
  customer: text,
  status: z.literal('paid').optional(),
  ...paging,
})

export const chargeList = z.strictObject({
  customer: text,
  expand: z.array(z.literal('data.refunds')).optional(),
  ...paging,
})
export const disputeList = z.strictObject({ charge: text, ...paging })

/** The compiler checks them where they are set up. */
const features = z.any().transform((form) => {
  const read = (_key: string, value: unknown) => bool.safeParse(value).data ?? value
  return JSON.parse(JSON.stringify(form), read) as PortalFeatures
})
export const configurationNew = z.strictObject({ features, metadata, name: text.optional() })
export const configurationList = z.strictObject({ active: bool.optional(), ...paging })

export const portalNew = z.strictObject({
  customer: text,
  configuration: text.optional(),
  return_url: url,
  flow_data: z
    .strictObject({
      type: z.literal('subscription_update_confirm'),
      subscription_update_confirm: z.strictObject({
        subscription: text,
        items: z.array(z.strictObject({ id: text, price: text, quantity: int })).length(1),
      }),
      after_completion: z.strictObject({
        type: z.literal('redirect'),
        redirect: z.strictObject({ return_url: url }),
      }),
    })
    .optional(),
})

export const endpointNew = z.strictObject({
  url: z.url({ protocol: /^https$/ }),
  enabled_events: z.array(z.string().regex(/^[a-z_]+(\.[a-z_]+)+$/)).min(1),
  api_version: text,
  metadata: metadata.optional(),
})
export const endpointChange = z.strictObject({
  enabled_events: z.array(text).min(1),
  disabled: bool.optional(),
})
export const endpointList = z.strictObject(paging)
