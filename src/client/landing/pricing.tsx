import { type BillingPeriod, billingPeriods, plans, tiers } from '#contract/plans.ts'
import { monthlyPrice } from '../ui/formats.ts'
import { LandingPlan } from './landing-plan.tsx'
import styles from './pricing.module.css'
import { Section } from './section.tsx'

const pricesByMonth = tiers
  .filter((tier) => plans[tier].monthlyPrice > 0)
  .map((tier) => `${plans[tier].landingName} ${monthlyPrice(plans[tier], 'monthly')}`)
  .join(', ')

const labels: Record<BillingPeriod, string> = { monthly: 'Monthly', annual: 'Annual' }

/** The toggle works by style alone: before the script is there, and without it. */
export function Pricing() {
  return (
    <Section
      id="pricing"
      title="Pricing"
      lead="Start free. Save 20 percent when you pay for a year."
    >
      <div className={styles.pricing}>
        <div className={styles.toggle}>
          <fieldset className={styles.periods}>
            <legend className={styles.legend}>Billing period</legend>
            {billingPeriods.map((period) => (
              <label key={period} className={styles.period}>
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
          <span className={styles.saving}>Save 20%</span>
        </div>
        <p className={styles.fixed}>
          {`Prices under annual billing. Billed monthly: ${pricesByMonth} a month.`}
        </p>
        <ul className={styles.plans}>
          {tiers.map((tier) => (
            <LandingPlan key={tier} plan={plans[tier]} />
          ))}
        </ul>
      </div>
    </Section>
  )
}
