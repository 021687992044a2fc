// SPDX-License-Identifier: Apache-2.0
//
// iframe-worker: a Worker for pages that are opened as files, where browsers allow no worker: its script runs in a
// hidden frame. The search needs it. MkDocs's plugin `offline` looks for a file of this name.
if (location.protocol === "file:")
  window.Worker = class extends EventTarget {
    constructor(url) {
      super();
      this.waiting = []; // messages until the script has been loaded
      const frame = document.createElement("iframe");
      frame.hidden = true;
      frame.srcdoc = "<body></body>";
      frame.onload = () => {
        const inner = frame.contentWindow;
        inner.postMessage = (data) => this.dispatchEvent(new MessageEvent("message", { data }));
        const script = inner.document.createElement("script");
        script.src = url;
        script.onload = () => {
          this.send = (data) => inner.dispatchEvent(new inner.MessageEvent("message", { data }));
          this.waiting.forEach(this.send);
        };
        inner.document.body.append(script);
      };
      document.body.append(frame);
    }
    postMessage(data) {
      if (this.send) this.send(data);
      else this.waiting.push(data);
    }
  };
