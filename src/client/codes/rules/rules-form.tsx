import { Input, Stack, Title } from '@mantine/core'
import { useForm } from '@mantine/form'
import { randomId } from '@mantine/hooks'
import { Sparkles } from 'lucide-react'
import { useRef, useState } from 'react'
import { plans } from '#contract/billing/plans.ts'
import type { RuleInput } from '#contract/codes/code-rules.ts'
import { type CodeChange, codeChange, type QrCode } from '#contract/codes/codes.ts'
import { RULES_MAX } from '#contract/codes/rule-values.ts'
import { refreshAfterCodeChange } from '../../query-client.ts'
import { BusyButton } from '../../ui/busy-button.tsx'
import { useCall } from '../../ui/call.ts'
import { DialogBar } from '../../ui/dialog/dialog.tsx'
import { showFieldErrors } from '../../ui/field-errors.ts'
import { focusFirstError, focusNew, useKeptFocus } from '../../ui/focus.ts'
import { PlansLink } from '../../ui/plans-link.tsx'
import { Quiet } from '../../ui/quiet.tsx'
import { type OpenDialog, useGuard } from '../editor/unsaved-changes.ts'
import { Note } from '../note.tsx'
import { useOwner } from '../owner.ts'
import { announceSaved, saveCode } from '../queries.ts'
import { Limits } from './limits.tsx'
import { AddRule, RuleCard } from './rule-card.tsx'
import { TryIt } from './try-it.tsx'
import { changeOf, check, type RulesForm as Form, fieldAt, rulesOf, valuesOf } from './values.ts'

/** Everything that decides where a code leads beside its destination: rules, dates, limit and fallback. */
export function RulesForm({
  code: opening,
  close,
  leave,
  ...dialog
}: OpenDialog & { code: QrCode }) {
  // The list may get a newer code in the meantime: what was read for this form must not replace it.
  const [code, setCode] = useState(opening)
  const form = useForm({
    initialValues: valuesOf(code),
    validate: (values) => check(values, code),
  })
  useGuard(dialog, form, () => {})
  const save = useCall((change: CodeChange) => saveCode(code.id, change, code.version), {
    failed: 'Failed to save QR code',
    isForm: true,
    after: announceSaved,
    // The code may have changed or gone elsewhere.
    afterFailure: refreshAfterCodeChange,
  })
  const onError = (error: Error) => void showFieldErrors(form, error)
  const submit = form.onSubmit(
    (values) => {
      if (save.isPending) return
      const onSuccess = () => {
        form.resetDirty()
        close()
      }
      save.mutate(codeChange.parse(changeOf(values, code)), { onSuccess, onError })
    },
    focusFirstError({ getInputNode: (path) => fieldAt(form, path) }),
  )
  /** With no other change the new limit is saved at once. */
  const raise = (scanLimit: number) => {
    const onSuccess = (saved: QrCode) => {
      setCode(saved)
      form.resetDirty({ ...form.getInitialValues(), scanLimit })
    }
    if (!form.isDirty()) save.mutate({ scanLimit }, { onSuccess, onError })
    form.setFieldValue('scanLimit', scanLimit)
  }
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="lg" mt={8}>
        <Rules form={form} />
        <TryIt
          id={code.id}
          rules={rulesOf(form.values)}
          validate={() => !Object.keys(form.validate().errors).some(isOfRules)}
        />
        <Limits form={form} code={code} isSaving={save.isPending} onMore={raise} />
      </Stack>
      <DialogBar
        onClose={leave}
        buttons={
          <BusyButton type="submit" busy={save.isPending} busyText="Saving...">
            Save
          </BusyButton>
        }
      />
    </form>
  )
}

function Rules({ form }: { form: Form }) {
  const { rules } = form.values
  const isInPlan = plans[useOwner().tier].hasRules
  const area = useRef<HTMLDivElement>(null)
  useKeptFocus(area)
  return (
    <Stack gap="sm" component="section" aria-labelledby="rules-title" ref={area} tabIndex={-1}>
      <div>
        <Title order={3} size="h5" id="rules-title">
          Rules
        </Title>
        <Quiet>
          The first rule that fits a visitor decides where the code leads. If none fits, it leads to
          its destination.
        </Quiet>
      </div>
      {!isInPlan && (
        <Note icon={Sparkles}>
          Rules are part of the Professional and Unlimited plans.{' '}
          {rules.length > 0 && 'Those you have keep working. '}
          <PlansLink />
        </Note>
      )}
      {rules.length > 0 && (
        <Stack gap="sm" component="ol" p={0} m={0} style={{ listStyle: 'none' }}>
          {rules.map((rule, index) => (
            <RuleCard key={rule.key} form={form} index={index} />
          ))}
        </Stack>
      )}
      {form.errors.rules && <Input.Error role="alert">{form.errors.rules}</Input.Error>}
      {isInPlan && rules.length < RULES_MAX && <AddRule onAdd={(rule) => add(form, rule)} />}
    </Stack>
  )
}

const isOfRules = (field: string) => field.startsWith('rules')

/** Adds a rule. Its first empty field gets the focus: that of a condition without values, or the destination. */
function add(form: Form, conditions: Partial<RuleInput>) {
  const index = form.getValues().rules.length
  const empty = Object.entries(conditions).find(([, value]) => Array.isArray(value) && !value[0])
  form.insertListItem('rules', {
    key: randomId(),
    ...conditions,
    variants: [{ url: '', share: 100 }],
  })
  focusNew(() => fieldAt(form, `rules.${index}.${empty?.[0] ?? 'variants.0.url'}`))
}
