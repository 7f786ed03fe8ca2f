import { isIP } from 'node:net'
import { certificatePath } from '@printyard/server/tls/certificate-paths'
import { readHost } from '@printyard/server/tls/local-names'
import { makeSelfSigned, SelfSignedError } from '@printyard/server/tls/self-signed'
import type { Answer } from '../answer.ts'
import { CommandError } from '../command-error.ts'
import { type DataDirOption, readCommandConfig } from '../with-database.ts'

export interface MakeSelfSignedOptions extends DataDirOption {
  host?: string[]
  renew?: boolean
  newAuthority?: boolean
}

/** Makes a certificate for this machine in its networks, and says how devices are told to trust it. */
export async function makeSelfSignedCertificate(options: MakeSelfSignedOptions): Promise<Answer> {
  const hosts = (options.host ?? []).map((text) => {
    const host = readHost(text)
    if (host === undefined) throw new CommandError(`${text} is neither a DNS name nor an IP address.`, 2)
    return host
  })
  const config = readCommandConfig(options)
  try {
    const made = await makeSelfSigned(
      {
        dataDir: config.dataDir,
        hosts,
        isRenewal: options.renew === true,
        isNewAuthority: options.newAuthority === true,
      },
      new Date(),
    )
    const [first = 'localhost'] = made.hosts
    const authority = `${isIP(first) === 6 ? `[${first}]` : first}:${config.port}`
    const isServed = config.tlsCertFile === made.certFile && config.tlsKeyFile === made.keyFile
    return {
      document: {
        certificate_file: made.certFile,
        key_file: made.keyFile,
        ca_file: made.authorityFile,
        ca_fingerprint: made.fingerprint,
        hosts: made.hosts,
        ends_at: made.endsAt.toISOString(),
        is_new_authority: made.isNewAuthority,
      },
      text: [
        `Made a certificate until ${made.endsAt.toISOString().slice(0, 10)} for ${made.hosts.join(', ')}.`,
        '',
        ...(isServed
          ? ['The running service takes it up within a few seconds.']
          : [
              'Give it to the service by two settings, and start it again:',
              `  PRINTYARD_TLS_CERT_FILE=${made.certFile}`,
              `  PRINTYARD_TLS_KEY_FILE=${made.keyFile}`,
              ...(config.host === '127.0.0.1'
                ? ['  PRINTYARD_HOST=0.0.0.0   # for phones and hubs in the network']
                : []),
            ]),
        '',
        ...(made.isNewAuthority
          ? howToTrust(authority, made.fingerprint)
          : ['Its authority is the former one: no device has to be told again.']),
      ].join('\n'),
    }
  } catch (error) {
    if (error instanceof SelfSignedError) throw new CommandError(error.message, 1, { cause: error })
    throw error
  }
}

function howToTrust(authority: string, fingerprint: string): string[] {
  return [
    `Then tell each device once to trust its authority. Its page http://${authority}${certificatePath} has the file and a code for phones.`,
    '  iPhone, iPad  open the page in Safari, download, allow the profile; Settings, General, VPN & Device Management: install it;',
    '                Settings, General, About, Certificate Trust Settings: switch on full trust for it',
    '  Android       download; Settings, Security & privacy, More security settings, Encryption & credentials,',
    '                Install a certificate, CA certificate: choose the file',
    `  hub           printyard hub join https://${authority} CODE --ca-fingerprint ${fingerprint.replaceAll(':', '')}`,
    '',
    `Fingerprint of the authority (SHA-256), to compare: ${fingerprint}`,
  ]
}
