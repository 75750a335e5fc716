/** The calls of our page to Stripe's script. */
export type StripeCalls = {
  key: string
  /** Options of the elements, then every change of them */
  options: { clientSecret?: string; appearance?: { variables: Record<string, string> } }[]
  confirmed: {
    confirmParams: { return_url: string }
    redirect: string
    hasElements: boolean
  }[]
}

/** The answer of confirmPayment; `refusal` is its error message. */
export type StripeAnswer = { refusal?: string; status?: string }

declare global {
  interface Window {
    stripeCalls: StripeCalls
    stripeAnswer: StripeAnswer | Promise<StripeAnswer>
  }
}

/**
 * A stand-in for https://js.stripe.com: it records its calls, shows a field, and answers
 * `window.stripeAnswer`.
 */
export const STRIPE_SCRIPT = `
const calls = { key: '', options: [], confirmed: [] }
window.stripeCalls = calls
const unused = () => { throw new Error('not used by our page') }

const ADDRESS = { line1: '12 Elm Street', line2: null, city: 'Springfield', state: 'IL', postal_code: '62701', country: 'US' }

function makeElement(type) {
  const listeners = {}
  let place
  const label = type === 'address' ? 'Address' : 'Card number'
  return {
    on: (name, react) => { listeners[name] = react },
    off: (name) => { delete listeners[name] },
    mount: (into) => {
      place = into
      place.innerHTML = '<label>' + label + ' <input></label>'
      setTimeout(() => listeners.ready?.())
    },
    update() {},
    destroy() {},
    getValue: async () => {
      const complete = place.querySelector('input').value !== ''
      return { complete, value: { name: 'Ada Lovelace', address: ADDRESS } }
    },
  }
}

function makeElements(options) {
  calls.options.push(options)
  const made = {}
  return {
    create: (type) => (made[type] = makeElement(type)),
    getElement: (type) => made[type.__elementType ?? type] ?? null,
    update: (more) => calls.options.push(more),
  }
}

async function confirmPayment({ elements, confirmParams, redirect }) {
  calls.confirmed.push({ confirmParams, redirect, hasElements: Boolean(elements) })
  const { refusal, status = 'succeeded' } = await window.stripeAnswer
  if (!refusal) return { paymentIntent: { status } }
  return { error: { type: 'card_error', message: refusal, payment_intent: { status } } }
}

window.Stripe = Object.assign((key) => {
  calls.key = key
  return {
    elements: makeElements, confirmPayment,
    createToken: unused, createPaymentMethod: unused, confirmCardPayment: unused,
  }
}, { version: 'endive' })
`
