import { type DomainList, newDomain } from '#contract/integrations/domains.ts'
import { request } from '../../../api.ts'
import { useMay } from '../../../workspace.ts'
import { Field } from '../../sign-in/step-parts.tsx'
import { ChangeForm } from '../change-form.tsx'
import { ListSection, NewSection } from '../list-section.tsx'
import { useFresh } from '../settings-calls.ts'
import { DOMAINS, DomainRow } from './domain-row.tsx'

const NOT_IN_PLAN = {
  some: 'Your domains keep working. To add more, upgrade to Professional or Unlimited.',
  none: 'Your own domain is part of the Professional and Unlimited plans. Upgrade to add it here.',
}
const FULL = 'You’ve added all the domains of your plan. Remove one to add another.'

/** The account's own domains. */
export function DomainsSection() {
  const list = useFresh<DomainList>(DOMAINS)
  const mayManage = useMay('POST /api/domains')
  const { limit = 0, domains = [] } = list.data ?? {}
  const used = domains.filter(({ endsAt }) => endsAt === null).length
  return (
    <>
      <ListSection
        title="Domains"
        text="Put your QR codes on a domain that you own, such as qr.example.com. Whatever happens, the links you’ve printed stay yours."
        what="Your domains"
        query={list}
        entries={list.data?.domains}
        none="No domains yet."
        row={(domain) => <DomainRow key={domain.id} domain={domain} />}
        notInPlan={limit === 0 && NOT_IN_PLAN}
      />
      {limit > 0 && mayManage && (
        <NewSection title="New domain" full={used >= limit && FULL}>
          <ChangeForm
            schema={newDomain}
            initialValues={{ host: '' }}
            call={(body) => request('POST', DOMAINS, body)}
            done="Domain added"
            failed="Failed to add the domain"
            label="New domain"
            button="Add domain"
          >
            <Field
              label="Domain"
              description="A subdomain, such as qr.example.com, leaves your website as it is."
              placeholder="qr.example.com"
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              name="host"
            />
          </ChangeForm>
        </NewSection>
      )}
    </>
  )
}
