import { Alert, Autocomplete, Modal, NumberInput, Select, Stack, Switch, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { printerModelsQuery } from '../../lib/api/shared-queries.ts'
import { autoStart } from '../../lib/auto-start.ts'
import {
  type ConnectionTexts,
  type ConnectionType,
  connectionOf,
  families,
  familyOrder,
  missingFields,
} from '../../lib/connections/connection-families.ts'
import { ConnectionInputs } from '../../lib/connections/connection-inputs.tsx'
import { findModel } from '../../lib/find-model.ts'
import { FormButtons } from '../../ui/form-buttons.tsx'
import { showFieldErrors } from '../../ui/form-errors.ts'
import { FormProblem } from '../../ui/form-problem.tsx'
import { LinkText } from '../../ui/link-text.tsx'
import { toastDone } from '../../ui/toast.tsx'
import { hubChoicesQuery } from './printers.api.ts'
import { useAddPrinter } from './use-printer-commands.ts'

interface AddPrinterDialogProps {
  isOpen: boolean
  onClose: () => void
}

/** Adds a printer by hand; printers that announce themselves are better adopted from the page of their hub. */
export function AddPrinterDialog({ isOpen, onClose }: AddPrinterDialogProps) {
  return (
    <Modal opened={isOpen} onClose={onClose} title="Add a printer" size="lg">
      <AddPrinterForm onClose={onClose} />
    </Modal>
  )
}

const formFields = ['name', 'model', 'hub_id', 'location', 'connection_type', 'nozzle_size']

function AddPrinterForm({ onClose }: { onClose: () => void }) {
  const models = useQuery(printerModelsQuery())
  const hubs = useQuery(hubChoicesQuery())
  const add = useAddPrinter()
  const navigate = useNavigate()
  const [values, setValues] = useState({ name: '', model: '', location: '' })
  const [type, setType] = useState<ConnectionType>('virtual')
  const [chosenHub, setChosenHub] = useState<string | null>()
  const [connection, setConnection] = useState<ConnectionTexts>({})
  const [startsJobs, setStartsJobs] = useState(true)
  const [typedNozzle, setTypedNozzle] = useState<number | string>()
  const [errors, setErrors] = useState<Record<string, string>>({})
  const [problem, setProblem] = useState<Error>()
  const hubId = chosenHub === undefined ? (onlyOne(hubs.data ?? [])?.id ?? null) : chosenHub
  const set = (name: keyof typeof values) => (value: string) => setValues((before) => ({ ...before, [name]: value }))
  const known = findModel(models.data ?? [], values.model)
  const nozzle = typedNozzle ?? known?.default_nozzle_size ?? ''

  const chooseModel = (model: string) => {
    set('model')(model)
    const best = findModel(models.data ?? [], model)?.connection_types[0]
    if (best) setType(best)
  }

  const submit = (event: FormEvent) => {
    event.preventDefault()
    setProblem(undefined)
    const missing = missingFields(type, connection)
    if (values.name.trim() === '') missing.name = 'A name is needed'
    if (values.model.trim() === '') missing.model = 'A model is needed'
    setErrors(missing)
    if (Object.keys(missing).length > 0) return
    const { name, model, location } = values
    add.mutate(
      {
        ...{ name: name.trim(), model: model.trim(), hub_id: hubId, connection_type: type, auto_start: startsJobs },
        ...(location.trim() !== '' && { location: location.trim() }),
        ...(known && { manufacturer: known.manufacturer }),
        ...(typeof nozzle === 'number' && { nozzle_size: nozzle }),
        ...(type !== 'virtual' && { connection: connectionOf(type, connection) }),
      },
      {
        onSuccess: (printer) => {
          toastDone(`${printer.name} is added. Look at its plate and say that it is clear: nothing prints before that.`)
          onClose()
          void navigate({ to: '/printers/$printerId', params: { printerId: printer.id } })
        },
        onError: (error) => {
          const fields = [...formFields, ...families[type].fields.map(({ name: field }) => field)]
          const taker = { values: Object.fromEntries(fields.map((field) => [field, ''])), setErrors }
          setProblem(showFieldErrors(taker, error, 'connection'))
        },
      },
    )
  }

  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <FormProblem problem={problem} />
        <TextInput
          label="Name"
          description="As people in the workshop call it"
          withAsterisk
          maxLength={120}
          value={values.name}
          onChange={({ currentTarget }) => set('name')(currentTarget.value)}
          error={errors.name}
          data-autofocus
        />
        <Autocomplete
          label="Model"
          description={known ? modelFacts(known) : 'One of the list, or your own words'}
          withAsterisk
          maxLength={120}
          data={(models.data ?? []).map(({ name }) => name)}
          limit={30}
          value={values.model}
          onChange={chooseModel}
          error={errors.model}
        />
        <Select
          label="Connection"
          withAsterisk
          allowDeselect={false}
          data={familyOrder.map((value) => ({ value, label: families[value].label }))}
          value={type}
          onChange={(value) => setType(familyOrder.find((each) => each === value) ?? type)}
          error={errors.connection_type}
        />
        <ConnectionInputs
          type={type}
          values={connection}
          errors={errors}
          onChange={(name, value) => setConnection((before) => ({ ...before, [name]: value }))}
        />
        {hubs.data?.length === 0 ? (
          <Alert variant="light" color="yellow" title="No hub yet">
            <Text size="sm">
              A hub talks to the printers of its network. Without one this printer stays offline.{' '}
              <LinkText to="/hubs">Set up a hub</LinkText>
            </Text>
          </Alert>
        ) : (
          <Select
            label="Hub"
            description="The one that reaches this printer"
            placeholder="None yet: it stays offline"
            data={(hubs.data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
            value={hubId}
            onChange={setChosenHub}
            error={errors.hub_id}
            clearable
          />
        )}
        <TextInput
          label="Place"
          description="Where it stands: a hall, a shelf"
          maxLength={200}
          value={values.location}
          onChange={({ currentTarget }) => set('location')(currentTarget.value)}
          error={errors.location}
        />
        <NumberInput
          label="Nozzle, in mm"
          description="Only files for this nozzle are started on it"
          min={0}
          step={0.1}
          value={nozzle}
          onChange={setTypedNozzle}
          error={errors.nozzle_size}
        />
        <Switch
          {...autoStart}
          checked={startsJobs}
          onChange={({ currentTarget }) => setStartsJobs(currentTarget.checked)}
        />
        <FormButtons label="Add printer" isBusy={add.isPending} onCancel={onClose} />
      </Stack>
    </form>
  )
}

/** With one hub, or one that is connected, there is nothing to choose. */
function onlyOne<Each extends { is_online: boolean }>(hubs: readonly Each[]): Each | undefined {
  const connected = hubs.filter(({ is_online }) => is_online)
  if (connected.length === 1) return connected[0]
  return hubs.length === 1 ? hubs[0] : undefined
}

function modelFacts(model: NonNullable<ReturnType<typeof findModel>>): string {
  const { build_volume: volume } = model
  const size = volume ? `${volume.width} × ${volume.depth} × ${volume.height} mm, ` : ''
  return `${model.manufacturer}: ${size}nozzle to ${model.max_nozzle_temp} °C, bed to ${model.max_bed_temp} °C`
}
