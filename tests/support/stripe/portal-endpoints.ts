import type { Books } from './books.ts'
import { endpoint, page } from './endpoint.ts'
import type { PortalConfiguration, PortalFeatures, PortalFlow } from './objects.ts'
import * as take from './parameters.ts'
import { found, missing, StripeRefusal } from './refusals.ts'

function refuse(message: string, param?: string): never {
  throw new StripeRefusal(400, param ? { message, param } : { message })
}

/** The products that the portal offers must exist, and the prices must be theirs. */
function checkProducts(books: Books, { subscription_update }: PortalFeatures) {
  for (const { product, prices } of subscription_update?.products ?? []) {
    if (!books.products.has(product)) throw missing('product', product, 'product')
    for (const id of prices) {
      const price = books.price(id, 'prices')
      if (price.product !== product || !price.active) refuse(`Price ${id} is not on offer`)
    }
  }
}

/** A change of plan that the portal accepts: to another offered price, of a running subscription. */
function checkChange(
  books: Books,
  configuration: PortalConfiguration,
  customer: string,
  flow: PortalFlow['subscription_update_confirm'],
) {
  const subscription = books.subscription(flow.subscription, 'flow_data[subscription]')
  if (subscription.customer !== customer)
    throw missing('subscription', flow.subscription, 'flow_data')
  if (!/^(active|trialing)$/.test(subscription.status))
    refuse('This subscription cannot be updated')
  // The real portal plans a second change behind the first one, which is never what is meant.
  if (subscription.schedule) refuse('A change of this subscription is planned')
  const [wanted] = flow.items
  const item = subscription.items.data.find(({ id }) => id === wanted?.id)
  if (!item || !wanted) refuse('No such item', 'flow_data[items][0][id]')
  const price = books.price(wanted.price, 'flow_data[items][0][price]')
  if (item.price.id === price.id) refuse('The subscription would not change')
  const { subscription_update } = configuration.features
  const offered = subscription_update?.products?.flatMap(({ prices }) => prices) ?? []
  if (!subscription_update?.enabled || !offered.includes(price.id)) {
    refuse('The price is not in the configuration of the portal')
  }
}

/** A request without a configuration gets the account's own, which allows no change of plan. */
const BARE: PortalFeatures = {}

export const portalEndpoints = [
  endpoint('POST /v1/billing_portal/configurations', take.configurationNew, (books, params) => {
    checkProducts(books, params.features)
    const configuration = {
      ...books.stamp('billing_portal.configuration', 'bpc'),
      active: true,
      ...params,
    }
    books.configurations.set(configuration.id, configuration)
    return configuration
  }),
  endpoint(
    'POST /v1/billing_portal/configurations/:id',
    take.configurationNew,
    (books, params, id) => {
      const configuration = found(books.configurations.get(id), 'configuration', id)
      checkProducts(books, params.features)
      return Object.assign(configuration, params)
    },
  ),
  endpoint(
    'GET /v1/billing_portal/configurations',
    take.configurationList,
    (books, { active, ...paging }) => {
      const all = [...books.configurations.values()].filter(
        (one) => active === undefined || one.active === active,
      )
      return page(all, '/v1/billing_portal/configurations', paging)
    },
  ),
  endpoint('POST /v1/billing_portal/sessions', take.portalNew, (books, params) => {
    const { customer, flow_data } = params
    books.customer(customer, 'customer')
    const known = books.configurations.get(params.configuration ?? '')
    if (params.configuration && !known?.active) {
      throw missing('configuration', params.configuration, 'configuration')
    }
    const configuration = known ?? {
      ...books.stamp('billing_portal.configuration', 'bpc'),
      active: true,
      features: BARE,
      metadata: {},
    }
    if (flow_data) {
      checkChange(books, configuration, customer, flow_data.subscription_update_confirm)
    }
    const stamp = books.stamp('billing_portal.session', 'bps')
    const session = {
      ...stamp,
      customer,
      configuration: configuration.id,
      flow: flow_data ?? null,
      url: `https://billing.stripe.test/p/session/${stamp.id}`,
    }
    books.portals.set(session.id, session)
    return session
  }),
]
