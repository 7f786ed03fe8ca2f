import { expect, test } from 'vitest'
import { neededPrograms, planPrograms } from './debian-packages.mjs'

const needed = [
  { command: 'redis-server', debianPackage: 'redis', neededFor: 'two services together' },
  { command: 'redis-cli', debianPackage: 'redis', neededFor: 'two services together' },
  { command: 'chromium', debianPackage: 'chromium', neededFor: 'the dashboard' },
]
const machine = { isPresent: () => false, isRoot: true, hasAptGet: true }

test('root on Debian installs each missing package once', () => {
  expect(planPrograms(needed, machine)).toEqual({ toInstall: ['redis', 'chromium'], missing: [] })
})

test('a program that is there is left alone', () => {
  const plan = planPrograms(needed, { ...machine, isPresent: ({ command }) => command.startsWith('redis') })
  expect(plan.toInstall).toEqual(['chromium'])
  expect(planPrograms(needed, { ...machine, isPresent: () => true })).toEqual({ toInstall: [], missing: [] })
})

test('an ordinary user, and a system without apt-get, are told what is missing', () => {
  expect(planPrograms(needed, { ...machine, isRoot: false })).toEqual({ toInstall: [], missing: needed })
  expect(planPrograms(needed, { ...machine, hasAptGet: false })).toEqual({ toInstall: [], missing: needed })
})

test('what every generator of clients is installed by comes with the other programs, in parts that Debian has apart', () => {
  const { toInstall } = planPrograms(neededPrograms, machine)
  expect(toInstall).toEqual(expect.arrayContaining(['golang-go', 'default-jdk-headless', 'maven', 'python3-venv']))
  const python = neededPrograms.find(({ command }) => command === 'python3')
  expect(python?.probe?.join(' ')).toMatch(/venv.*ensurepip/)
})
