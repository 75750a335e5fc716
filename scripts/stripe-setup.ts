/**
 * `npm run stripe:setup`: brings products, prices, billing portal and webhook of a Stripe account in
 * line with the catalogue. It reads the server's environment, can be run again at any time, and
 * changes only what differs.
 */

import Stripe from 'stripe'
import { stripeOf } from '../src/server/billing/stripe/stripe-client.ts'
import { ConfigError, readConfig, type StripeSettings } from '../src/server/config.ts'
import { runCommand } from './run-command.ts'
import { setUpCatalogue } from './stripe/stripe-catalogue.ts'
import { setUpEndpoint } from './stripe/stripe-endpoint.ts'
import { setUpPortal } from './stripe/stripe-portal-settings.ts'
import { taxRenewals } from './stripe/stripe-tax-renewals.ts'

const say = (line: string) => console.log(line)

/** The server's settings. The webhook's secret is unknown until its endpoint is made. */
function settings(): { publicUrl: string; stripeMails: boolean; stripe: StripeSettings } {
  const { STRIPE_WEBHOOK_SECRET = 'whsec_' } = process.env
  const unset = { CHECKOUT: undefined, BILLING: 'stripe' }
  const { publicUrl, stripeMails, stripe } = readConfig({
    ...process.env,
    ...unset,
    STRIPE_WEBHOOK_SECRET,
  })
  if (!stripe) throw new ConfigError('STRIPE_SECRET_KEY is required: a secret key of Stripe')
  return { publicUrl, stripeMails, stripe }
}

/** Stripe's mails are switched in its dashboard only. */
function sayMails(areStripes: boolean) {
  const [name, turned] = areStripes ? ['on', 'on'] : ['off', 'off, or people get two of each']
  say(`mails: with STRIPE_MAILS=${name} turn these ${turned}, in Stripe's dashboard, Settings`)
  say('  Business, Customer emails: Successful payments')
  say('  Billing, Subscriptions and emails: Send emails when card payments fail')
}

async function setUp(): Promise<void> {
  const { publicUrl, stripeMails, stripe: own } = settings()
  const stripe = await stripeOf(own, { maxNetworkRetries: 2 })
  const offers = await setUpCatalogue(stripe, say, own.tax)
  await setUpPortal(stripe, offers, say)
  if (own.tax) await taxRenewals(stripe, say)
  sayMails(stripeMails)
  const made = await setUpEndpoint({
    stripe,
    publicUrl,
    apiVersion: Stripe.API_VERSION,
    say,
    now: new Date(),
    hasBothSecrets: own.webhookSecrets.length > 1,
  })
  if (!made) return
  say('')
  say('Stripe tells this secret only now. Put it into the environment of the server:')
  say(`STRIPE_WEBHOOK_SECRET=${made.secret}`)
  if (!made.replaces) return
  say('Put the former secret behind it, with a comma between, so that the events of both endpoints')
  say('count. After a day, run this again: it removes the former endpoint. Then remove its secret.')
}

await runCommand(setUp, 'Stripe could not be set up')
