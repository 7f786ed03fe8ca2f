import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { settings, unknownSettings } from '@printyard/server/kernel/config'
import { expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { hub, service } from './editions.mjs'

const root = join(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const version: string = JSON.parse(read('package.json')).version

/** As the images have it: their user, their folders (`scripts/release/image.mjs`). */
const userId = 10_001
const dataOf = (name: string) => `/var/lib/${name}`

interface ComposeService {
  image: string
  environment?: Record<string, string>
  command?: string[]
  secrets?: string[]
  volumes?: string[]
  expose?: string[]
  network_mode?: string
  read_only?: boolean
  depends_on?: string[] | Record<string, unknown>
}
interface Compose {
  services: Record<string, ComposeService>
  secrets: Record<string, { file: string }>
  volumes: Record<string, unknown>
}
// `<<` is merged as Compose does it.
const readCompose = (path: string): Compose => parse(read(path), { merge: true })
const compose = readCompose('deploy/compose.yaml')
const cluster = readCompose('deploy/compose-cluster.yaml')
const { services } = compose
const processes = Object.entries(cluster.services).filter(([name]) => name.startsWith('printyard-'))

interface Container {
  image: string
  env: { name: string; value: string }[]
  ports?: { name: string; containerPort: number }[]
  volumeMounts: { name: string; mountPath: string }[]
  securityContext: Record<string, unknown>
  [probe: string]: unknown
}
interface Workload {
  kind: string
  spec: {
    replicas: number
    template: { spec: { containers: Container[]; securityContext: Record<string, unknown>; hostNetwork?: boolean } }
  }
}
const workload = (path: string): Workload => {
  const found = parseAllDocuments(read(path)).map((document) => document.toJS() as Workload)
  const stateful = found.find(({ kind }) => kind === 'StatefulSet')
  if (stateful === undefined) throw new Error(`${path} has no StatefulSet`)
  return stateful
}
const containerOf = ({ spec }: Workload): Container => {
  const [container] = spec.template.spec.containers
  if (container === undefined) throw new Error('no container')
  return container
}

/** The hub reads these itself; what is named nowhere in its settings has no effect. */
const isHubSetting = (name: string) => new RegExp(`\\b${name}\\b`).test(read('apps/hub/src/config.ts'))

test('each image has the name and the version that a release gives it', () => {
  expect(services.printyard?.image).toBe(`${service.name}:\${PRINTYARD_VERSION:-${version}}`)
  expect(services.hub?.image).toBe(`${hub.name}:\${PRINTYARD_VERSION:-${version}}`)
  expect(containerOf(workload('deploy/kubernetes/printyard.yaml')).image).toBe(`${service.name}:${version}`)
  expect(containerOf(workload('deploy/kubernetes/hub.yaml')).image).toBe(`${hub.name}:${version}`)
})

test('each setting exists, and names a secret that is handed over where it is one', () => {
  const ofService = [
    { env: services.printyard?.environment ?? {}, from: '/run/secrets/' },
    ...processes.map(([, { environment = {} }]) => ({ env: environment, from: '/run/secrets/' })),
    {
      env: Object.fromEntries(
        containerOf(workload('deploy/kubernetes/printyard.yaml')).env.map(({ name, value }) => [name, value]),
      ),
      from: '/run/secrets/printyard/',
    },
  ]
  const secretSettings = Object.values(settings).flatMap((setting) => ('isSecret' in setting ? [setting.variable] : []))
  for (const { env, from } of ofService) {
    expect(unknownSettings(env)).toEqual([])
    expect(Object.keys(env)).toEqual(expect.arrayContaining(['DATABASE_URL_FILE', 'PRINTYARD_SECRET_KEY_FILE']))
    // No secret stands in the file itself.
    expect(Object.keys(env).filter((name) => (secretSettings as string[]).includes(name))).toEqual([])
    for (const [name, value] of Object.entries(env)) {
      if (name.endsWith('_FILE')) expect(value.startsWith(from)).toBe(true)
    }
  }
  for (const file of [compose, cluster]) {
    for (const { environment = {}, command = [], secrets = [] } of Object.values(file.services)) {
      const named = [...Object.values(environment), ...command].filter((value) => value.startsWith('/run/secrets/'))
      expect(named.map((path) => path.slice('/run/secrets/'.length)).sort()).toEqual([...secrets].sort())
      for (const secret of secrets) expect(file.secrets[secret]?.file).toBe(`./secrets/${secret}`)
    }
  }
  const ofHub = [
    ...Object.keys(services.hub?.environment ?? {}),
    ...containerOf(workload('deploy/kubernetes/hub.yaml')).env.map(({ name }) => name),
  ]
  expect(ofHub.length).toBeGreaterThan(2)
  expect(ofHub.filter((name) => !isHubSetting(name))).toEqual([])
  expect(isHubSetting('PRINTYARD_HUB_NOTHING')).toBe(false)
})

test('ports, probes and folders are those of the images', () => {
  const port = settings.port.fallback
  expect(services.printyard?.expose).toEqual([String(port)])
  expect(read('deploy/caddy/Caddyfile')).toContain(`reverse_proxy printyard:${port}`)
  const container = containerOf(workload('deploy/kubernetes/printyard.yaml'))
  expect(container.ports).toEqual([{ name: 'http', containerPort: port }])
  const routes = read('apps/server/src/operations/probes.ts')
  for (const probe of ['startupProbe', 'livenessProbe', 'readinessProbe']) {
    const { httpGet } = container[probe] as { httpGet: { path: string; port: string } }
    expect(httpGet.port).toBe('http')
    expect(routes).toContain(`app.get('${httpGet.path}'`)
  }
  const mounts = [
    [services.printyard?.volumes, service.name],
    [services.hub?.volumes, hub.name],
  ] as const
  for (const [volumes = [], name] of mounts) {
    expect(volumes.map((volume) => volume.split(':')[1])).toContain(dataOf(name))
  }
  expect(read('scripts/release/image.mjs')).toMatch(/const data = `\/var\/lib\/\$\{name\}`/)
  for (const { volumes = [] } of Object.values(services)) {
    for (const [from = ''] of volumes.map((volume) => volume.split(':'))) {
      if (!from.startsWith('./')) expect(compose.volumes).toHaveProperty(from)
      // Secrets are made by the person who installs it.
      else if (!from.startsWith('./secrets/')) expect(existsSync(join(root, 'deploy', from))).toBe(true)
    }
  }
})

test('several processes are alike but for their folders, share all that has to be shared, and are all known to the balancer', () => {
  const port = settings.port.fallback
  expect(processes.length).toBeGreaterThan(1)
  const [[, first]] = processes as [[string, ComposeService]]
  for (const [name, { volumes, ...process }] of processes) {
    expect({ ...process, volumes: [] }).toEqual({ ...first, volumes: [] })
    expect(process.image).toBe(services.printyard?.image)
    expect(process.read_only).toBe(true)
    expect(volumes).toEqual([`data-${name.slice('printyard-'.length)}:${dataOf(service.name)}`])
  }
  const { environment = {} } = first
  expect(Object.keys(environment)).toEqual(
    expect.arrayContaining(['DATABASE_URL_FILE', 'REDIS_URL_FILE', 'S3_BUCKET', 'PRINTYARD_SECRET_KEY_FILE']),
  )
  const balancer = read('deploy/caddy/Caddyfile-cluster')
  expect(balancer).toContain(`reverse_proxy ${processes.map(([name]) => `${name}:${port}`).join(' ')} {`)
  expect(cluster.services.caddy?.depends_on).toEqual(processes.map(([name]) => name))
  // It is asked more often than a process goes on answering after it has said that it ends.
  const asked =
    Number(/health_interval (\d+)s/.exec(balancer)?.[1]) + Number(/health_timeout (\d+)s/.exec(balancer)?.[1])
  expect(asked).toBeLessThan(Number(environment.PRINTYARD_DRAIN_SECONDS))
  expect(read('apps/server/src/operations/probes.ts')).toContain(`app.get('${/health_uri (\S+)/.exec(balancer)?.[1]}'`)
  const store = read('deploy/garage/garage.toml')
  expect(store).toContain(`s3_region = "${environment.S3_REGION}"`)
  expect(store).toContain(`api_bind_addr = "[::]:${new URL(environment.S3_ENDPOINT ?? '').port}"`)
  for (const { volumes = [] } of Object.values(cluster.services)) {
    for (const [from = ''] of volumes.map((volume) => volume.split(':'))) {
      if (from.startsWith('./')) expect(existsSync(join(root, 'deploy', from))).toBe(true)
      else expect(cluster.volumes).toHaveProperty(from)
    }
  }
})

test('one process of a farm, not root, with a root file system that is read only', () => {
  expect([services.printyard?.read_only, services.hub?.read_only]).toEqual([true, true])
  for (const path of ['deploy/kubernetes/printyard.yaml', 'deploy/kubernetes/hub.yaml']) {
    const stateful = workload(path)
    expect(stateful.spec.replicas).toBe(1)
    expect(stateful.spec.template.spec.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: userId })
    expect(containerOf(stateful).securityContext).toMatchObject({
      readOnlyRootFilesystem: true,
      allowPrivilegeEscalation: false,
    })
  }
  expect(read('scripts/release/image.mjs')).toContain('const userId = 10_001')
  expect(services.hub?.network_mode).toBe('host')
  expect(workload('deploy/kubernetes/hub.yaml').spec.template.spec.hostNetwork).toBe(true)
})
