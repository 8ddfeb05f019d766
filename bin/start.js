// Apart from the check of the version, as older versions cannot parse `import()`.
import('../dist/cli.js').then((cli) => cli.main())
