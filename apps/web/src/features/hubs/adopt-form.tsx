import { Button, Fieldset, Group, NumberInput, Select, SimpleGrid, Stack, Switch, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { DiscoveredPrinter, Hub } from '../../lib/api/api-schema.generated.ts'
import { printerModelsQuery } from '../../lib/api/shared-queries.ts'
import { autoStart } from '../../lib/auto-start.ts'
import {
  type ConnectionTexts,
  type ConnectionType,
  connectionOf,
  families,
  familyOrder,
  missingFields,
  textsOfFound,
} from '../../lib/connections/connection-families.ts'
import { ConnectionInputs } from '../../lib/connections/connection-inputs.tsx'
import { findModel } from '../../lib/find-model.ts'
import { showFieldErrors } from '../../ui/form-errors.ts'
import { FormProblem } from '../../ui/form-problem.tsx'
import { Icon } from '../../ui/icon.tsx'
import { useAdoptPrinter, useTestConnection } from './hubs.api.ts'
import { ModelInput } from './model-input.tsx'
import { TestOutcome } from './test-outcome.tsx'

interface AdoptFormProps {
  hub: Pick<Hub, 'id' | 'name' | 'is_online'>
  /** What the hub found; undefined: a person knows of the printer. */
  found: DiscoveredPrinter | undefined
  onDone: (printer: { id: string; name: string }) => void
  onCancel: () => void
}

/** Makes a printer of this account: the way to it, tried on the spot, and what it is called. */
export function AdoptForm({ hub, found, onDone, onCancel }: AdoptFormProps) {
  const [type, setType] = useState<ConnectionType>(found?.connection_type ?? 'bambu')
  const [texts, setTexts] = useState<ConnectionTexts>(() => (found ? textsOfFound(found) : {}))
  const [pinned, setPinned] = useState<string>()
  const form = useForm({
    mode: 'controlled',
    initialValues: {
      // What answers at a typed address is called by it, which is no name for a workshop.
      name: found && found.name !== found.address ? found.name : '',
      model: found?.model ?? '',
      location: '',
      // Undefined until somebody types: the one that the model is sold with.
      nozzle_size: undefined as number | string | undefined,
      auto_start: true,
    },
  })
  const [connectionErrors, setConnectionErrors] = useState<Record<string, string>>({})
  const [problem, setProblem] = useState<Error>()
  const test = useTestConnection(hub.id)
  const adopt = useAdoptPrinter()
  const outcome = test.data
  const { data: models = [] } = useQuery(printerModelsQuery())
  const known = findModel(models, form.values.model)
  const nozzle = form.values.nozzle_size ?? known?.default_nozzle_size ?? ''

  /** What was tried is no longer what stands here. */
  function changeConnection(change: () => void) {
    change()
    setPinned(undefined)
    setConnectionErrors({})
    test.reset()
  }

  function checked(): boolean {
    const missing = missingFields(type, texts)
    setConnectionErrors(missing)
    setProblem(undefined)
    return Object.keys(missing).length === 0
  }

  /** By the serial number the printer is known again at another address, and as the one that was found. */
  function connectionWith(fingerprint: string | undefined, told: string | null | undefined) {
    const isAsFound = found?.connection_type === type && (found.address ?? '') === (texts.address ?? '')
    const serial = told ?? (isAsFound ? found.serial : null)
    return {
      ...(serial !== null && { serial }),
      ...connectionOf(type, texts),
      ...(fingerprint !== undefined && { pinned_fingerprint: fingerprint }),
    }
  }

  function tryConnection(fingerprint: string | undefined) {
    if (!checked()) return
    test.mutate(
      { connection_type: type, connection: connectionWith(fingerprint, undefined) },
      {
        onSuccess: ({ ok, model, certificate_fingerprint, is_certificate_vouched }) => {
          if (!ok) return
          if (model !== null && form.values.model === '') form.setFieldValue('model', model)
          if (certificate_fingerprint !== null && is_certificate_vouched !== true) setPinned(certificate_fingerprint)
        },
        onError: showErrors,
      },
    )
  }

  /** Errors of `connection.address` stand at the field of the address, the rest above the form. */
  function showErrors(error: unknown) {
    const connection = Object.fromEntries(families[type].fields.map(({ name }) => [name, '']))
    const setErrors = (errors: Record<string, string>) => {
      form.setErrors(errors)
      setConnectionErrors(errors)
    }
    setProblem(showFieldErrors({ values: { ...form.values, ...connection }, setErrors }, error, 'connection'))
  }

  const submit = form.onSubmit(({ name, model, location, auto_start }) => {
    if (!checked()) return
    const connection = connectionWith(pinned, outcome?.ok ? outcome.serial : null)
    adopt.mutate(
      {
        ...{ name, model, location, auto_start, hub_id: hub.id, connection_type: type, connection },
        ...(known && { manufacturer: known.manufacturer }),
        ...(typeof nozzle === 'number' && { nozzle_size: nozzle }),
      },
      { onSuccess: onDone, onError: showErrors },
    )
  })

  const { preparation } = families[type]
  return (
    <form onSubmit={submit}>
      <Stack>
        <FormProblem problem={problem} />
        <Fieldset legend={`How ${hub.name} reaches it`}>
          <Stack gap="sm">
            <Select
              label="Connection"
              allowDeselect={false}
              data={familyOrder.map((value) => ({ value, label: families[value].label }))}
              value={type}
              onChange={(value) => changeConnection(() => setType(familyOrder.find((each) => each === value) ?? type))}
            />
            {preparation !== undefined && (
              <Text size="sm" c="dimmed">
                {preparation}
              </Text>
            )}
            <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
              <ConnectionInputs
                type={type}
                values={texts}
                errors={connectionErrors}
                onChange={(name, value) => changeConnection(() => setTexts({ ...texts, [name]: value }))}
              />
            </SimpleGrid>
            <Group>
              <Button
                variant={outcome?.ok ? 'default' : 'filled'}
                leftSection={<Icon name="retry" size={16} />}
                onClick={() => tryConnection(pinned)}
                loading={test.isPending}
                disabled={!hub.is_online}
              >
                Test the connection
              </Button>
              <Text size="sm" c="dimmed">
                {hub.is_online ? 'Nothing moves. It takes up to 20 s.' : `Not while ${hub.name} is away.`}
              </Text>
            </Group>
            {outcome && <TestOutcome outcome={outcome} isTrusting={test.isPending} onTrust={tryConnection} />}
          </Stack>
        </Fieldset>
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
          <TextInput
            label="Name"
            description="As it is called in the workshop"
            required
            maxLength={120}
            {...form.getInputProps('name')}
          />
          <TextInput label="Place" description="Where it stands" maxLength={200} {...form.getInputProps('location')} />
          <ModelInput type={type} {...form.getInputProps('model')} />
          <NumberInput
            label="Nozzle, in mm"
            description="Only files for this nozzle are started on it"
            min={0}
            step={0.1}
            {...form.getInputProps('nozzle_size')}
            value={nozzle}
          />
        </SimpleGrid>
        <Switch {...autoStart} {...form.getInputProps('auto_start', { type: 'checkbox' })} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
          <Button type="submit" variant={outcome?.ok ? 'filled' : 'default'} loading={adopt.isPending}>
            {outcome?.ok ? 'Add the printer' : 'Add without a test'}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
