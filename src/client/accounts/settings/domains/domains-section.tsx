import { Text, TextInput } from '@mantine/core'
import { newDomain } from '#contract/integrations/domains.ts'
import { BusyButton } from '../../../ui/busy-button.tsx'
import { Loaded } from '../../../ui/dialog/dialog.tsx'
import form from '../../../ui/form.module.css'
import { Rows } from '../../../ui/rows.tsx'
import { useSubmission } from '../../sign-in/submission.ts'
import { NotInPlan, Section } from '../section.tsx'
import { useAddDomain, useDomains } from './domain-calls.ts'
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
              <Rows none={limit > 0 && 'You have no domains yet.'}>
                {domains.map((domain) => (
                  <DomainRow key={domain.id} domain={domain} />
                ))}
              </Rows>
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
  const adding = useAddDomain()
  const { form: fields, onSubmit } = useSubmission({
    schema: newDomain,
    initialValues: { host: '' },
    send: (body) => adding.mutateAsync(body),
    onDone: (_added, _body, sent) => sent.reset(),
  })
  return (
    <form noValidate aria-label="New domain" className={form.form} onSubmit={onSubmit}>
      <TextInput
        label="Domain"
        description="A subdomain, such as qr.example.com, leaves your website as it is."
        placeholder="qr.example.com"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        {...fields.getInputProps('host')}
      />
      <BusyButton type="submit" busy={adding.isPending} busyText="Adding...">
        Add domain
      </BusyButton>
    </form>
  )
}
