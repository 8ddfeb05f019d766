/** Documents that many people try first. Each is known by its hash, as those of `clients/catalog.js`. */
export const catalog = {
  'petstore-2.0': {
    repository: 'swagger-api/swagger-js',
    commit: '12ac98238ae8b44681a28370d080249cae470b9a',
    path: 'test/data/petstore.json',
    sha256: 'a4ee52882339a9122582a9b28ede6a15e8d19c135b8099388717f31339057fd7',
  },
  'petstore-3.0': {
    repository: 'swagger-api/swagger-petstore',
    commit: 'f1ed336a08b18ba4a86c496147c4f546ae965a7b',
    path: 'src/main/resources/openapi.yaml',
    sha256: '7c1315ff7d191c2470e1f5fc9c9f7de1c7aacd162f24eaaf0174f88e1b7d9b1d',
  },
  'petstore-3.1': {
    repository: 'swagger-api/swagger-petstore',
    commit: '5a973d5b7f92464b783e8157d74ded2afdba82bf',
    path: 'src/main/webapp/code-first/openapi.yaml',
    sha256: '475c1f5925450f034ccc0e276df4d574c8ffaa302616f8caac1df83f776954ef',
  },
  'petstore-small': {
    repository: 'OAI/learn.openapis.org',
    commit: 'cff6533ce5444b144946ef6ae2722c34ef6769e0',
    path: 'examples/v3.0/petstore.yaml',
    sha256: 'cefaafa05eee75b1888762dea08a295f245e9f3e4bdb8777f4bdfed09e335339',
  },
  'petstore-expanded': {
    repository: 'OAI/learn.openapis.org',
    commit: 'cff6533ce5444b144946ef6ae2722c34ef6769e0',
    path: 'examples/v3.0/petstore-expanded.yaml',
    sha256: 'abc68d08c674c8f0415aaeeb87c4203d5dd7257cdb79ac7ccb0446d1c5b9a7c2',
  },
  'train-travel': {
    repository: 'bump-sh-examples/train-travel-api',
    commit: '478d17375a3172e0a84ce922521b481270216674',
    path: 'openapi.yaml',
    sha256: 'f98baa4920894112610d9fac8fa77e1d78dd754de35b4948f608a599ff52964f',
  },
  museum: {
    repository: 'Redocly/museum-openapi-example',
    commit: '2770b2b2e59832d245c7b0eb0badf6568d7efb53',
    path: 'openapi.yaml',
    sha256: '2d88e96a1860382fa86e15af892c50d95ae81d53324ac9b07aa9e6a72a8974aa',
  },
  galaxy: {
    package: '@scalar/galaxy@0.6.12',
    path: 'dist/3.1.json',
    sha256: '166c72a96b56d7a01504a15c38b8adb71eff226f5f62347f24bddde074894fd9',
  },
  realworld: {
    repository: 'gothinkster/realworld',
    commit: '747190ecf0bb27d461cf1100f6cb3468c6c914ed',
    path: 'api/openapi.yml',
    sha256: 'a1ae1c4dc4105c88899ea4a16ad9c4cbf5cfefeea145972d9c604b7dfa5fc7b6',
  },
}
