import {
  alsoIncluded,
  type BillingPeriod,
  billingPeriods,
  FREE_EXPIRY_DAYS,
  FREE_EXPIRY_FEATURE,
  type PaidTier,
  type Plan,
  plans,
  tiers,
} from '#contract/billing/plans.ts'
import { monthlyPrice, yearlyCharge, yearlySaving } from '../ui/prices.ts'
import { ButtonLink, Section, SIGN_UP } from './page-parts.tsx'
import styles from './pricing.module.css'

const labels: Record<BillingPeriod, string> = { monthly: 'Monthly', annual: 'Annual' }

/** The toggle works by style alone, so that it works before the script has loaded and without it. */
export function Pricing() {
  return (
    <Section
      id="pricing"
      title="Pricing"
      lead="Start free. Save up to 20 percent with annual billing."
    >
      <div className={styles.pricing}>
        <div className={`${styles.toggle} line`}>
          <fieldset className={`${styles.periods} radios`} aria-label="Billing period">
            {billingPeriods.map((period) => (
              <label key={period}>
                <input
                  type="radio"
                  name="billing"
                  value={period}
                  defaultChecked={period === 'annual'}
                />
                {labels[period]}
              </label>
            ))}
          </fieldset>
          <span className="pill">Save 20%</span>
        </div>
        <ul className={styles.plans}>
          {tiers.map((tier) => (
            <PlanCard key={tier} plan={plans[tier]} />
          ))}
        </ul>
      </div>
    </Section>
  )
}

const quiet = `${styles.small} soft`

/** Holds the prices of both billing periods; the toggle shows one of them. */
function PlanCard({ plan }: { plan: Plan }) {
  return (
    <li className={`${styles.plan} panel`} data-popular={plan.popular || undefined}>
      <div className={styles.head}>
        <h3>{plan.landingName}</h3>
        {plan.popular && <span className="pill">Popular</span>}
      </div>
      <p className={quiet}>{plan.description}</p>
      <p className={styles.price}>
        {billingPeriods.map((billing) => (
          <b key={billing} className="display" data-billing={billing}>
            {monthlyPrice(plan, billing)}
          </b>
        ))}
        <span className={quiet}>/month</span>
      </p>
      <p className={`${styles.yearly} ${quiet}`}>
        {[yearlyCharge(plan, 'annual'), yearlySaving(plan, 'annual')].filter(Boolean).join(', ')}
      </p>
      <div className={styles.contents}>
        <ul className={styles.features}>
          {plan.features.landing.map((feature) => (
            <li key={feature} data-limit={feature === FREE_EXPIRY_FEATURE || undefined}>
              {feature}
            </li>
          ))}
        </ul>
        <p className={`${styles.also} ${quiet}`}>Also included</p>
        <ul className={styles.features}>
          {alsoIncluded(plan).map((feature) => (
            <li key={feature}>{feature}</li>
          ))}
        </ul>
        {plan.expiryDays !== null && (
          <p className={`${styles.term} ${styles.small}`}>
            Codes stop working {FREE_EXPIRY_DAYS} days after you first save them. Upgrade anytime to
            keep them working.
          </p>
        )}
      </div>
      <PlanLinks plan={plan} />
    </li>
  )
}

/** The free plan begins with an account; a paid one is chosen after it, as the toggle says. */
function PlanLinks({ plan: { tier, popular, landingName } }: { plan: Plan }) {
  if (tier === 'free') {
    return (
      <ButtonLink quiet wide>
        Start for Free
      </ButtonLink>
    )
  }
  return billingPeriods.map((billing) => (
    <div key={billing} data-billing={billing}>
      <ButtonLink href={signUpFor(tier, billing)} quiet={!popular} wide>
        Choose {landingName}
      </ButtonLink>
    </div>
  ))
}

function signUpFor(tier: PaidTier, billing: BillingPeriod): string {
  const plans = `/subscription?tier=${tier}&billing=${billing}`
  return `${SIGN_UP}&returnTo=${encodeURIComponent(plans)}`
}
