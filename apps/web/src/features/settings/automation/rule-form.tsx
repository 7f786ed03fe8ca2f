import { Group, Modal, MultiSelect, NumberInput, Select, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { AutomationRule } from '../../../lib/api/api-schema.generated.ts'
import { FormButtons } from '../../../ui/forms/form-buttons.tsx'
import { FormProblem } from '../../../ui/forms/form-problem.tsx'
import { useFormSubmit } from '../../../ui/forms/use-form-submit.ts'
import { kindWords, severityWords } from '../notifications/notification-words.ts'
import { type FarmChoices, RuleScopeFields } from '../rule-scope-fields.tsx'
import { ActionFields, type Receivers } from './action-fields.tsx'
import { useSaveAutomationRule } from './automation.api.ts'
import { modeState } from './automation-words.ts'
import { bodyOf, freshRule, type RuleValues, valuesOf } from './rule-values.ts'

/** What a rule can be for, and whom it can tell. */
export interface RuleChoices {
  farm: FarmChoices
  receivers: Receivers
}

interface AutomationRuleDialogProps {
  /** The rule to change; without one a new one is added. */
  rule?: AutomationRule
  choices: RuleChoices
  onClose: () => void
}

const options = (words: Record<string, string>) => Object.entries(words).map(([value, label]) => ({ value, label }))
const { test: _test, automation: _automation, ...ruleKinds } = kindWords
const modes = (['on', 'trial', 'off'] as const).map((mode) => ({ value: mode, label: modeState(mode).word }))

export function AutomationRuleDialog({ rule, choices, onClose }: AutomationRuleDialogProps) {
  const initialValues: RuleValues = rule ? valuesOf(rule) : freshRule
  const form = useForm<RuleValues>({ mode: 'controlled', initialValues })
  const save = useSaveAutomationRule(rule?.id)
  const { submit, problem } = useFormSubmit({
    form,
    mutation: save,
    body: bodyOf,
    done: ({ name }) => `The rule ${name} is saved`,
    onDone: onClose,
  })
  return (
    <Modal opened onClose={onClose} title={rule ? 'Change the rule' : 'Add a rule'} size="lg">
      <form onSubmit={submit}>
        <Stack>
          <FormProblem problem={problem} />
          <TextInput label="Name" required maxLength={100} data-autofocus {...form.getInputProps('name')} />
          <Select
            label="State"
            description="On trial it notes what it would do, and does nothing"
            data={modes}
            allowDeselect={false}
            {...form.getInputProps('mode')}
          />
          <MultiSelect label="When" data={options(ruleKinds)} required {...form.getInputProps('kinds')} />
          <Select
            label="At least"
            data={options(severityWords)}
            allowDeselect={false}
            {...form.getInputProps('least_severity')}
          />
          <RuleScopeFields form={form} choices={choices.farm} />
          <Group grow align="end">
            <NumberInput
              label="Times"
              min={1}
              max={100}
              allowDecimal={false}
              {...form.getInputProps('times')}
            />
            <NumberInput
              label="Within minutes"
              min={1}
              max={10_080}
              allowDecimal={false}
              disabled={Number(form.values.times) <= 1}
              {...form.getInputProps('within_minutes')}
            />
            <NumberInput
              label="Most per hour"
              min={1}
              max={1_000}
              allowDecimal={false}
              {...form.getInputProps('most_per_hour')}
            />
          </Group>
          <ActionFields form={form} receivers={choices.receivers} />
          <FormButtons label={rule ? 'Save' : 'Add the rule'} isBusy={save.isPending} onCancel={onClose} />
        </Stack>
      </form>
    </Modal>
  )
}
