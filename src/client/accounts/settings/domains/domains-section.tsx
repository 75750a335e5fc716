import { Text } from '@mantine/core'
import { newDomain } from '#contract/integrations/domains.ts'
import { request } from '../../../api.ts'
import { Loaded } from '../../../ui/dialog/dialog.tsx'
import { RowList } from '../../../ui/rows.tsx'
import { Field } from '../../sign-in/field.tsx'
import { ChangeForm } from '../change-form.tsx'
import { NotInPlan, Section } from '../section.tsx'
import { DOMAINS, useDomains } from './domain-calls.ts'
import { DomainRow } from './domain-row.tsx'

/** The account's own domains. */
export function DomainsSection() {
  const list = useDomains()
  return (
    <>
      <Section
        title="Domains"
        text="Put your QR codes on a domain that you own, such as qr.example.com. Whatever happens, the links you’ve printed stay yours."
      >
        <Loaded query={list} what="Your domains">
          {({ limit, domains }) => (
            <>
              {limit === 0 && (
                <NotInPlan>
                  {domains.length > 0
                    ? 'Your domains keep working. To add more, upgrade to Professional or Unlimited.'
                    : 'Your own domain is part of the Professional and Unlimited plans. Upgrade to add it here.'}
                </NotInPlan>
              )}
              <RowList entries={domains} none={limit > 0 && 'You have no domains yet.'}>
                {(domain) => <DomainRow key={domain.id} domain={domain} />}
              </RowList>
            </>
          )}
        </Loaded>
      </Section>
      {list.data && list.data.limit > 0 && (
        <Section title="New domain">
          {list.data.domains.filter(({ endsAt }) => endsAt === null).length < list.data.limit ? (
            <NewDomainForm />
          ) : (
            <Text size="sm">
              You’ve added all the domains of your plan. Remove one to add another.
            </Text>
          )}
        </Section>
      )}
    </>
  )
}

function NewDomainForm() {
  return (
    <ChangeForm
      schema={newDomain}
      initialValues={{ host: '' }}
      call={(body) => request('POST', DOMAINS, body)}
      done="Domain added"
      failed="Failed to add the domain"
      label="New domain"
      button="Add domain"
      busyText="Adding..."
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
  )
}
