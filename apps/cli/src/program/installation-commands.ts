import type { Command } from 'commander'
import type { AnswerOptions } from '../answer.ts'
import type { DoctorOptions } from '../commands/doctor.ts'
import type { MakeSelfSignedOptions } from '../commands/make-self-signed.ts'
import type { PrintOpenApiOptions } from '../commands/print-openapi.ts'
import { dataDirOption, leaf, type ProgramParts } from './program-parts.ts'

/** Adds the commands for the certificate, the checks and the API description of an installation. */
export function addInstallationCommands(program: Command, { answer }: ProgramParts): void {
  const tls = program.command('tls').description('The certificate of the service, for HTTPS without a proxy')
  leaf(tls, 'self-signed', '--host farm.lan')
    .description(
      'Create a certificate for this machine in its networks, with a local authority that phones and hubs can trust',
    )
    .option('--host <name...>', 'further names or addresses by which it is reached')
    .option('--renew', 'issue another one from the same authority; a running service picks it up')
    .option('--new-authority', 'create another authority too; every device and hub must trust it again')
    .addOption(dataDirOption())
    .action(async (options: MakeSelfSignedOptions & AnswerOptions) => {
      const { makeSelfSignedCertificate } = await import('../commands/make-self-signed.ts')
      await answer(options, makeSelfSignedCertificate(options))
    })

  leaf(program, 'doctor', '--json')
    .description('Check this installation for problems, and name the remedies')
    .addOption(dataDirOption())
    .option('--bundle [file]', 'write a support bundle, without secrets and personal data')
    .action(async (options: DoctorOptions & AnswerOptions) => {
      const { runDoctor } = await import('../commands/doctor.ts')
      await answer(options, runDoctor(options))
    })

  leaf(program, 'openapi', '--output openapi.json')
    .description('Print the OpenAPI document of the public API')
    .option('--output <file>', 'write it to this file instead')
    .option('--no-examples', 'omit the examples')
    .action(async (options: PrintOpenApiOptions & AnswerOptions) => {
      const { printOpenApi } = await import('../commands/print-openapi.ts')
      await answer(options, printOpenApi(options))
    })
}
