import { randomBytes } from 'node:crypto'
import type { Books } from './books.ts'
import { endpoint, page } from './endpoint.ts'
import type { Price } from './objects.ts'
import * as take from './parameters.ts'
import { found, missing, StripeRefusal } from './refusals.ts'

/** A lookup key belongs to one price, and moves only if the request says so. */
function takeKey(books: Books, key: string | undefined, transfer: boolean | undefined) {
  if (key === undefined) return
  const holder = [...books.prices.values()].find(({ lookup_key }) => lookup_key === key)
  if (!holder) return
  if (!transfer) throw new StripeRefusal(400, { message: `A price already uses ${key}` })
  holder.lookup_key = null
}

function pricesAsked(
  books: Books,
  { lookup_keys, active }: { lookup_keys?: string[] | undefined; active?: boolean | undefined },
): Price[] {
  return [...books.prices.values()].filter(
    (price) =>
      (lookup_keys === undefined || lookup_keys.includes(price.lookup_key ?? '')) &&
      (active === undefined || price.active === active),
  )
}

export const setupEndpoints = [
  endpoint('POST /v1/products', take.productNew, (books, params) => {
    const stamp = books.stamp('product', 'prod')
    const id = params.id ?? stamp.id
    if (books.products.has(id)) {
      throw new StripeRefusal(400, { code: 'resource_already_exists', message: 'It is there' })
    }
    const { name, description = null, metadata = {} } = params
    books.products.set(id, { ...stamp, id, name, description, metadata, active: true })
    return books.products.get(id)
  }),
  endpoint('GET /v1/products/:id', take.nothing, (books, _params, id) => {
    return found(books.products.get(id), 'product', id)
  }),
  endpoint('POST /v1/products/:id', take.productChange, (books, params, id) => {
    return Object.assign(found(books.products.get(id), 'product', id), params)
  }),
  endpoint('POST /v1/prices', take.priceNew, (books, params) => {
    const { product, currency, unit_amount, recurring, lookup_key, metadata = {} } = params
    if (!books.products.has(product)) throw missing('product', product, 'product')
    takeKey(books, lookup_key, params.transfer_lookup_key)
    const price: Price = {
      ...books.stamp('price', 'price'),
      product,
      currency,
      unit_amount,
      metadata,
      active: true,
      type: 'recurring',
      recurring: { ...recurring, interval_count: 1 },
      lookup_key: lookup_key ?? null,
      tax_behavior: params.tax_behavior ?? 'unspecified',
    }
    books.prices.set(price.id, price)
    return price
  }),
  endpoint('POST /v1/prices/:id', take.priceChange, (books, params, id) => {
    const price = found(books.prices.get(id), 'price', id)
    if (params.tax_behavior && price.tax_behavior !== 'unspecified') {
      throw new StripeRefusal(400, { message: 'The tax behavior cannot be changed once it is set' })
    }
    return Object.assign(price, params)
  }),
  endpoint('GET /v1/prices/:id', take.nothing, (books, _params, id) => books.price(id, 'price')),
  endpoint('GET /v1/prices', take.priceList, (books, { lookup_keys, active, ...paging }) =>
    page(pricesAsked(books, { lookup_keys, active }), '/v1/prices', paging),
  ),
  endpoint('POST /v1/webhook_endpoints', take.endpointNew, (books, params) => {
    const { url, enabled_events, api_version } = params
    const secret = `whsec_${randomBytes(16).toString('hex')}`
    const stored = {
      ...books.stamp('webhook_endpoint', 'we'),
      url,
      enabled_events,
      api_version,
      secret,
      status: 'enabled' as const,
    }
    books.endpoints.set(stored.id, stored)
    return stored
  }),
  endpoint('POST /v1/webhook_endpoints/:id', take.endpointChange, (books, params, id) => {
    const stored = found(books.endpoints.get(id), 'webhook_endpoint', id)
    const { enabled_events, disabled } = params
    const status = disabled === undefined ? stored.status : disabled ? 'disabled' : 'enabled'
    // Stripe shows the secret once, when the endpoint is made.
    const { secret: _secret, ...open } = Object.assign(stored, { enabled_events, status })
    return open
  }),
  endpoint('DELETE /v1/webhook_endpoints/:id', take.nothing, (books, _params, id) => {
    found(books.endpoints.get(id), 'webhook_endpoint', id)
    books.endpoints.delete(id)
    return { id, object: 'webhook_endpoint', deleted: true }
  }),
  endpoint('GET /v1/webhook_endpoints', take.endpointList, (books, paging) => {
    const all = [...books.endpoints.values()].map(({ secret: _secret, ...open }) => open)
    return page(all, '/v1/webhook_endpoints', paging)
  }),
]
