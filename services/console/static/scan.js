// Reads a player's code with the camera, if the browser can. The field next to it takes the same text.
(() => {
  "use strict";
  const button = document.getElementById("scan");
  const video = document.getElementById("camera");
  if (!button || !window.isSecureContext || !("BarcodeDetector" in window) || !navigator.mediaDevices) return;
  const INTERVAL = 200; // milliseconds
  let stream = null;
  button.hidden = false;

  const stop = () => {
    stream?.getTracks().forEach((track) => track.stop());
    stream = null;
    video.hidden = true;
  };
  const look = async (detector) => {
    if (!stream) return;
    const codes = await detector.detect(video).catch(() => []); // no picture yet
    if (!stream) return;
    if (!codes.length) { setTimeout(look, INTERVAL, detector); return; }
    stop();
    document.getElementById("q").value = codes[0].rawValue;
    document.getElementById("look").requestSubmit();
  };
  button.addEventListener("click", async () => {
    if (stream) { stop(); return; }
    try {
      const detector = new BarcodeDetector({ formats: ["qr_code"] });
      stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: "environment" } });
      video.srcObject = stream;
      video.hidden = false;
      await video.play();
      look(detector);
    } catch { stop(); button.hidden = true; /* refused: use the field */ }
  });
})();
