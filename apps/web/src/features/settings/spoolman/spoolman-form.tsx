import { Button, Group, Select, Stack, Switch, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { SpoolmanConnection } from '../../../lib/api/api-schema.generated.ts'
import { changedFields } from '../../../lib/changed-fields.ts'
import { serviceSentence } from '../../../lib/i18n/service-sentence.ts'
import { t } from '../../../lib/i18n/t.ts'
import { toastDone, toastFailed } from '../../../ui/dialogs/toast.tsx'
import { FormProblem } from '../../../ui/forms/form-problem.tsx'
import { useFormSubmit } from '../../../ui/forms/use-form-submit.ts'
import { useChangeSpoolman, useConnectSpoolman, useTestSpoolman } from './spoolman.api.ts'

type Settings = Pick<SpoolmanConnection, 'url' | 'leader' | 'sends_usage'>

const none: Settings = { url: '', leader: 'spoolman', sends_usage: true }

const leaders = [
  { value: 'spoolman', label: t('Spoolman: what remains there is taken over, usage is added there') },
  { value: 'printyard', label: t('Printyard: its quantities are reported to Spoolman') },
]

/** Connects Spoolman, or changes how it is connected. */
export function SpoolmanForm({ connection }: { connection: SpoolmanConnection | null }) {
  const before: Settings =
    connection === null ? none : { url: connection.url, leader: connection.leader, sends_usage: connection.sends_usage }
  const form = useForm({ mode: 'controlled', initialValues: before })
  const connect = useConnectSpoolman()
  const change = useChangeSpoolman()
  const changes = changedFields(before, form.values)
  const connecting = useFormSubmit({
    form,
    mutation: connect,
    body: (values) => ({ ...values, url: values.url.trim() }),
    done: () => t('Spoolman is connected'),
  })
  const changing = useFormSubmit({
    form,
    mutation: change,
    body: () => changes,
    done: () => t('The connection to Spoolman is changed'),
  })
  const { submit, problem } = connection === null ? connecting : changing
  return (
    <form onSubmit={submit}>
      <Stack className="form-narrow">
        <FormProblem problem={problem} />
        <TextInput
          label={t('Address of Spoolman')}
          description={t(
            'Such as http://192.168.1.20:7912. The operator has to allow networks of your own. Another address is taken for the same Spoolman, which has moved',
          )}
          required
          maxLength={500}
          {...form.getInputProps('url')}
        />
        <Select
          label={t('Leading system')}
          description={t('Its quantities count where both differ')}
          data={leaders}
          allowDeselect={false}
          {...form.getInputProps('leader')}
        />
        {form.values.leader === 'spoolman' && (
          <Switch
            label={t('Report the usage of prints to Spoolman')}
            description={t('Not where Moonraker or OctoPrint tell it already: it would be counted twice')}
            {...form.getInputProps('sends_usage', { type: 'checkbox' })}
          />
        )}
        <Group>
          <Button
            type="submit"
            loading={connect.isPending || change.isPending}
            disabled={Object.keys(changes).length === 0}
          >
            {connection === null ? t('Connect Spoolman') : t('Save')}
          </Button>
          <TestButton url={form.values.url} />
        </Group>
      </Stack>
    </form>
  )
}

function TestButton({ url }: { url: string }) {
  const test = useTestSpoolman()
  const ask = () =>
    test.mutate(
      { url: url.trim() },
      {
        onSuccess: ({ ok, version, problem }) =>
          ok
            ? toastDone(t('Spoolman {version} answers', { version: version ?? '' }))
            : toastFailed(
                t('Spoolman does not answer: {problem}', { problem: serviceSentence(problem ?? '') }),
                undefined,
              ),
        onError: (error) => toastFailed(t('Spoolman could not be tested'), error),
      },
    )
  return (
    <Button variant="default" loading={test.isPending} disabled={url.trim() === ''} onClick={ask}>
      {t('Test the connection')}
    </Button>
  )
}
