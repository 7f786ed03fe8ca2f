import { NumberInput, SimpleGrid, Stack, Switch, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ConnectionTest, DiscoveredPrinter } from '../../lib/api/api-schema.generated.ts'
import { hubChoicesQuery, printerModelsQuery } from '../../lib/api/shared-queries.ts'
import { autoStart } from '../../lib/auto-start.ts'
import { families } from '../../lib/connections/connection-families.ts'
import { findModel } from '../../lib/find-model.ts'
import { t } from '../../lib/i18n/t.ts'
import { toastDone, toastWarning } from '../../ui/dialogs/toast.tsx'
import { FormButtons } from '../../ui/forms/form-buttons.tsx'
import { showFieldErrors } from '../../ui/forms/form-errors.ts'
import { FormProblem } from '../../ui/forms/form-problem.tsx'
import { useAddPrinter } from './add-printer.api.ts'
import { ConnectionFields } from './connection-fields.tsx'
import { type HubChoice, HubInput, onlyHub } from './hub-input.tsx'
import { ModelInput } from './model-input.tsx'
import { useConnection } from './use-connection.ts'

export interface AddPrinterFormProps {
  /** The hub that reaches it; undefined: chosen in the form. */
  hub?: HubChoice
  /** What the hub found; undefined: a person knows of the printer. */
  found?: DiscoveredPrinter | undefined
  onDone: (printer: { id: string; name: string }) => void
  onCancel: () => void
  /** In the place of `Cancel`. */
  cancelLabel?: string | undefined
}

/** Adds a printer to this account: what it is called, and the way to it, tried on the spot. */
export function AddPrinterForm({ hub: fixedHub, found, onDone, onCancel, cancelLabel }: AddPrinterFormProps) {
  const { data: models = [] } = useQuery(printerModelsQuery())
  const { data: hubs } = useQuery({ ...hubChoicesQuery(), enabled: fixedHub === undefined })
  const form = useForm({
    mode: 'controlled',
    initialValues: {
      // What answers at a typed address is called by it, which is no name for a workshop.
      name: found && found.name !== found.address ? found.name : '',
      model: found?.model ?? '',
      location: '',
      // Undefined until one is typed: the one that the model is sold with.
      nozzle_size: undefined as number | string | undefined,
      // Undefined until one is chosen: the only one.
      hub_id: undefined as string | null | undefined,
      auto_start: true,
    },
  })
  const connection = useConnection(found)
  const [problem, setProblem] = useState<Error>()
  const add = useAddPrinter()
  const { model, hub_id: chosenHub } = form.values
  const hub = fixedHub ?? (chosenHub === undefined ? onlyHub(hubs ?? []) : hubs?.find(({ id }) => id === chosenHub))
  const known = findModel(models, model)
  const nozzle = form.values.nozzle_size ?? known?.default_nozzle_size ?? ''
  const isTested = connection.outcome?.ok === true
  // What a hub simulates cannot be mistyped, and without a hub that is connected there is nothing to test with.
  const isTestPossible = hub?.is_online === true && connection.type !== 'virtual'
  const isReached = isTested || connection.type === 'virtual'
  const hasFailed = connection.outcome !== undefined && !isTested

  function chooseModel(name: string) {
    form.setFieldValue('model', name)
    const usual = findModel(models, name)?.connection_types[0]
    if (usual && !found) connection.setType(usual)
  }

  /** Errors of `connection.address` stand at the field of the address, the rest above the form. */
  function showErrors(error: unknown) {
    const fields = Object.fromEntries(families[connection.type].fields.map(({ name }) => [name, '']))
    const setErrors = (errors: Record<string, string>) => {
      form.setErrors(errors)
      connection.setErrors(errors)
    }
    const values = { ...form.values, ...fields, connection_type: '' }
    setProblem(showFieldErrors({ values, setErrors }, error, 'connection'))
  }

  /** Tries the connection; a person may have trusted a certificate by this fingerprint. */
  function testConnection(
    fingerprint?: string,
    onWorks: (body: ReturnType<typeof connection.body>) => void = () => undefined,
  ) {
    setProblem(undefined)
    if (!hub || !connection.isComplete()) return
    const onSuccess = (outcome: ConnectionTest, body: ReturnType<typeof connection.body>) => {
      if (outcome.model !== null && form.values.model === '') form.setFieldValue('model', outcome.model)
      onWorks(body)
    }
    connection.try(hub.id, { onWorks: onSuccess, onError: showErrors }, fingerprint)
  }

  const submit = form.onSubmit((values) => {
    setProblem(undefined)
    if (!connection.isComplete()) return
    // An address is tried before it is taken: only a person who has seen that it does not answer adds it as it is.
    if (isTestPossible && connection.outcome === undefined) {
      testConnection(undefined, (body) => addPrinter(values, body, true))
      return
    }
    addPrinter(values, connection.body(), isReached)
  })

  function addPrinter(
    { name, location, auto_start }: typeof form.values,
    body: ReturnType<typeof connection.body>,
    isAnswering: boolean,
  ) {
    add.mutate(
      {
        ...{ name: name.trim(), model: model.trim(), location: location.trim(), auto_start },
        ...{ hub_id: hub?.id ?? null, connection_type: connection.type },
        ...((found || connection.type !== 'virtual') && { connection: body }),
        ...(known && { manufacturer: known.manufacturer }),
        ...(typeof nozzle === 'number' && { nozzle_size: nozzle }),
      },
      {
        onSuccess: (printer) => {
          if (isAnswering) {
            toastDone(
              t('{name} is added. Look at its plate and say that it is clear: nothing prints before that.', {
                name: printer.name,
              }),
            )
          } else {
            toastWarning(
              t('{name} is added, but it was not reached', { name: printer.name }),
              hub
                ? t('It stays offline until its connection is right. Change it on its page.')
                : t('No hub runs it yet.'),
            )
          }
          onDone(printer)
        },
        onError: showErrors,
      },
    )
  }

  return (
    <form onSubmit={submit}>
      <Stack>
        <FormProblem problem={problem} />
        <ConnectionFields connection={connection} hub={hub} onTest={(fingerprint) => testConnection(fingerprint)}>
          {!fixedHub && (
            <HubInput
              hubs={hubs}
              {...form.getInputProps('hub_id')}
              value={hub?.id ?? null}
              onChange={(value) => {
                form.setFieldValue('hub_id', value)
                connection.forgetTest()
              }}
            />
          )}
        </ConnectionFields>
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
          <TextInput
            label={t('Name')}
            description={t('Its name in the workshop')}
            required
            maxLength={120}
            data-autofocus
            {...form.getInputProps('name')}
          />
          <ModelInput type={connection.type} {...form.getInputProps('model')} onChange={chooseModel} />
        </SimpleGrid>
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
          <TextInput
            label={t('Place')}
            description={t('Its location: a hall, a shelf')}
            maxLength={200}
            {...form.getInputProps('location')}
          />
          <NumberInput
            label={t('Nozzle, in mm')}
            description={t('Only files for this nozzle are started on it')}
            min={0}
            step={0.1}
            {...form.getInputProps('nozzle_size')}
            value={nozzle}
          />
        </SimpleGrid>
        <Switch {...autoStart} {...form.getInputProps('auto_start', { type: 'checkbox' })} />
        <FormButtons
          label={
            hasFailed
              ? t('Add it although it does not answer')
              : isReached || isTestPossible
                ? t('Add printer')
                : t('Add without a test')
          }
          isBusy={add.isPending || connection.isTesting}
          onCancel={onCancel}
          {...(cancelLabel !== undefined && { cancelLabel })}
        />
      </Stack>
    </form>
  )
}
